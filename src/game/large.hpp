// LargeVector: a vector for arrays of hundreds of megabytes, on huge pages and without initialisation.
//
// Its memory is not set to zero first, because several threads are about to write it, and the system is
// asked for large pages, without which random access to a large array spends most of its time on address
// translation.

#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace zermelo::game {

template <class T>
class LargeAllocator : public std::allocator<T> {
public:
    template <class U>
    struct rebind {
        using other = LargeAllocator<U>;
    };
    T* allocate(std::size_t n) {
        constexpr std::size_t page = std::size_t{2} << 20;
        const std::size_t bytes = n * sizeof(T);
        if (bytes < 2 * page)
            return static_cast<T*>(::operator new (bytes, std::align_val_t{page_for_small}));
        const std::size_t rounded = (bytes + page - 1) / page * page;
        void* memory = ::operator new (rounded, std::align_val_t{page});
        (void)madvise(memory, rounded, MADV_HUGEPAGE);  // advice only: failure does no harm
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t n) {
        constexpr std::size_t page = std::size_t{2} << 20;
        const bool small = n * sizeof(T) < 2 * page;
        ::operator delete (memory, std::align_val_t{small ? page_for_small : page});
    }
    // Without a value, an element stays uninitialised.
    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Values>
    void construct(U* at, Values&&... values) {
        ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
    }

private:
    static constexpr std::size_t page_for_small = 64;
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace zermelo::game
