// corpus FOLDER [MUTANTS [TARGET]]: the corpus of each target and seeded mutants of it, through the functions that libFuzzer
// calls, in a program that any compiler makes. Exit code 1 where a promise is broken.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "core/random.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

namespace {

struct Target {
    const char* name;
    void (*run)(const std::string& text);
    unsigned part;  // of the mutants: one in so many, where an input takes long
};
const std::vector<Target> targets = {{"gdl", gdl, 1},
                                     {"flatzinc", flatzinc, 1},
                                     {"annotations", annotations, 2},
                                     {"qbf", qbf, 1},
                                     {"graph", graph, 1},
                                     {"certificate", certificate, 1},
                                     {"checkpoint", checkpoint, 1},
                                     {"record", record, 10},
                                     {"hints", hints, 2},
                                     {"net", net, 1},
                                     {"journal", journal, 1},
                                     {"message", message, 1},
                                     {"http", http, 2},
                                     {"api", api, 5}};

std::vector<std::string> corpus(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);  // so that a seed means the same everywhere
    std::vector<std::string> texts;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return texts;
}

// Bytes changed, taken out, put elsewhere or joined with another text.
std::string mutant(const std::vector<std::string>& texts, Random& random) {
    std::string text = texts[random.below(texts.size())];
    for (auto changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random.below(text.size());
        const std::size_t length = 1 + random.below(12);
        switch (random.below(6)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text[at] = "0123456789-.,;:()[]{}\"' \n"[random.below(25)];
                break;
            case 2:
                text.erase(at, length);
                break;
            case 3:
                text.insert(at, text.substr(random.below(text.size()), length));
                break;
            case 4: {
                const std::string& other = texts[random.below(texts.size())];
                if (!other.empty()) text.insert(at, other.substr(random.below(other.size()), 3 * length));
                break;
            }
            default:
                if (random.below(8) == 0) text.resize(at);
        }
    }
    return text;
}

bool holds(const Target& target, const std::string& text, const std::string& what) {
    try {
        target.run(text);
        return true;
    } catch (const std::exception& problem) {
        std::cerr << target.name << ", " << what << ": " << problem.what() << '\n' << text << '\n';
        return false;
    }
}

bool run(const Target& target, const std::filesystem::path& folder, std::uint64_t mutants) {
    const std::vector<std::string> texts = corpus(folder / target.name);
    if (texts.empty()) throw std::runtime_error(std::string("no corpus of ") + target.name);
    bool all = true;
    for (std::size_t i = 0; i < texts.size(); ++i)
        all = holds(target, texts[i], "file " + std::to_string(i) + " of the corpus") && all;
    for (std::uint64_t seed = 0; seed < mutants / target.part; ++seed) {
        Random random(seed);
        all = holds(target, mutant(texts, random), "seed " + std::to_string(seed)) && all;
    }
    std::cout << target.name << ": " << texts.size() << " files, " << mutants / target.part << " mutants\n";
    return all;
}

}  // namespace

}  // namespace zermelo::fuzz

int main(int argc, char** argv) {
    if (argc < 2 || argc > 4) {
        std::cerr << "corpus FOLDER [MUTANTS [TARGET]]\n";
        return 2;
    }
    bool all = true;
    for (const auto& target : zermelo::fuzz::targets) {
        if (argc < 4 || std::string(argv[3]) == target.name)
            all = zermelo::fuzz::run(target, argv[1], argc > 2 ? std::stoull(argv[2]) : 0) && all;
    }
    return all ? 0 : 1;
}
