// The contents of a checkpoint file, so that they can be changed under a checksum that is right.

#pragma once

#include <span>
#include <string>

#include "game/explore/checkpoint.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

struct Contents {
    game::CheckpointSubject subject;
    std::string bytes;
};

inline Contents contents_of(const std::string& file, const game::CheckpointSubject& subject) {
    Contents contents{subject, {}};
    game::CheckpointReader reader(file, subject);
    try {
        for (;;) contents.bytes.push_back(reader.get<char>());
    } catch (const Error&) {
        // the end
    }
    return contents;
}

inline void write(const std::string& file, const Contents& contents, const std::string& patches) {
    const std::string changed = patched(contents.bytes, patches);
    game::CheckpointWriter writer(file, contents.subject);
    writer.write(std::as_bytes(std::span(changed)));
    writer.commit();
}

// A game of a few moves, whose checkpoints these are.
inline constexpr const char* small_rules =
    "(role a) (init (cell 1 1 b)) (init (cell 2 1 b)) (init (step 0)) (succ 0 1) (succ 1 2)\n"
    "(<= (legal a (mark ?x ?y)) (true (cell ?x ?y b)))\n"
    "(<= (next (cell ?x ?y o)) (does a (mark ?x ?y)))\n"
    "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (does a (mark ?x ?y))))\n"
    "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n"
    "(<= terminal (true (step 2))) (goal a 50)\n";

}  // namespace zermelo::fuzz
