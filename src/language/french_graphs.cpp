// Graphs and JSON in French: what is wrong with them, and what to do.

#include "language/sentences.hpp"

namespace zermelo::language {

namespace {

// clang-format off
constexpr Sentence graph_sentences[] = {
    {"the name does not tell the format of this graph", "le nom ne dit pas le format de ce graphe"},
    {"this is not JSON: {}", "ce n'est pas du JSON : {1}"},
    {"this should be an object", "ceci devrait être un objet"},
    {"put it between { and }", "mettez-le entre { et }"},
    {"\"{}\" is missing", "« {1} » manque"},
    {"this is unknown here", "ceci est inconnu ici"},
    {"write one of {}", "écrivez {1}"},
    {"this should be a list", "ceci devrait être une liste"},
    {"put it between [ and ]", "mettez-le entre [ et ]"},
    {"this should be a text", "ceci devrait être un texte"},
    {"put it between quotation marks", "mettez-le entre guillemets"},
    {"this should be an integer", "ceci devrait être un entier"},
    {"correct the file", "corrigez le fichier"},
    {"correct the file, or write it again", "corrigez le fichier, ou écrivez-le de nouveau"},
    {"this has a character of code 0", "ceci contient un caractère de code 0"},
    {"this text has a character of code 0", "ce texte contient un caractère de code 0"},
    {"give a text file", "donnez un fichier de texte"},
    {"this is not a text in UTF-8", "ce n'est pas un texte en UTF-8"},
    {"a string or a comment is not closed", "un texte ou un commentaire n'est pas fermé"},
    {"there is no graph in this file", "il n'y a pas de graphe dans ce fichier"},
    {"write digraph { … }", "écrivez digraph { … }"},
    {"there is more than one graph in this file", "il y a plus d'un graphe dans ce fichier"},
    {"put each graph into its own file", "mettez chaque graphe dans son propre fichier"},
    {"the edges of this graph have no direction", "les arcs de ce graphe n'ont pas de sens"},
    {"write digraph and ->", "écrivez digraph et ->"},
    {"this is not DOT: {}", "ce n'est pas du DOT : {1}"},
    {"{}: the weight of a move cannot be {}", "{1} : le poids d'un coup ne peut pas être {2}"},
    {"state {}: \"{}\" cannot be a payoff", "état {1} : « {2} » ne peut pas être un gain"},
    {"payoffs are 0 … 100, separated by commas", "un gain est 0 … 100, avec des virgules entre eux"},
    {"payoffs are 0 … 100", "un gain est 0 … 100"},
    {"no player is named", "aucun joueur n'est nommé"},
    {"name at least one", "nommez-en au moins un"},
    {"name at most {}", "nommez-en {1} au plus"},
    {"a name must not be empty, contain a comma, or begin or end with a blank",
     "un nom ne doit pas être vide, contenir une virgule, ni commencer ou finir par une espace"},
    {"\"{}\" has a meaning of its own", "« {1} » a un sens à lui"},
    {"give the player another name", "donnez un autre nom au joueur"},
    {"two players are called {}", "deux joueurs s'appellent {1}"},
    {"give each player a different name", "donnez à chaque joueur un nom différent"},
    {"this state has no name", "cet état n'a pas de nom"},
    {"give every state a name", "donnez un nom à chaque état"},
    {"two states are called {}", "deux états s'appellent {1}"},
    {"give each state a different name", "donnez à chaque état un nom différent"},
    {"{} is missing", "{1} manque"},
    {"the players are {}", "les joueurs sont {1}"},
    {"this state has an outcome, and moves that go on", "cet état a une issue, et des coups qui continuent"},
    {"this state has moves, but it is nobody's turn", "cet état a des coups, mais personne n'a le trait"},
    {"this state has a winner and payoffs", "cet état a un gagnant et des gains"},
    {"give only one of them", "n'en donnez qu'un"},
    {"give each player one", "donnez-en un à chaque joueur"},
    {"{} cannot be a payoff", "{1} ne peut pas être un gain"},
    {"this is outcome number {}", "c'est l'issue numéro {1}"},
    {"a graph has at most {} different outcomes", "un graphe a {1} issues différentes au plus"},
    {"this is not a graph", "ce n'est pas un graphe"},
    {"its format should be \"{}\"", "son format devrait être « {1} »"},
    {"this version of the format is unknown", "cette version du format est inconnue"},
    {"version {} can be read", "la version {1} peut être lue"},
    {"/{}: {t}", "/{1} : {2}"},
    {"this is nested too deeply for a request", "ceci est imbriqué trop profondément pour une requête"},
    {"this is nested too deeply for a graph", "ceci est imbriqué trop profondément pour un graphe"},
    {"list them", "donnez-en la liste"},
};
// clang-format on

}  // namespace

std::span<const Sentence> french_graphs() { return graph_sentences; }

}  // namespace zermelo::language
