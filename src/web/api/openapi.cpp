#include "web/api/openapi.hpp"

#include "zermelo/version.hpp"

namespace zermelo::web {

namespace {

// The paths, and below what they are made of; both in the order of web/src/api.ts.
constexpr const char* paths = R"json({
"/api/games": {
  "get": {"summary": "The games of the library", "operationId": "listGames",
    "responses": {"200": {"description": "All of them, by id", "content": {"application/json": {"schema":
      {"type": "object", "required": ["games"],
       "properties": {"games": {"type": "array", "items": {"$ref": "#/components/schemas/GameSummary"}}}}}}}}}},
"/api/games/{folder}/{name}": {
  "get": {"summary": "One game, with its text and how to draw it", "operationId": "getGame",
    "parameters": [{"name": "folder", "in": "path", "required": true, "schema": {"type": "string"}, "example": "gdl"},
      {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}, "example": "tic-tac-toe"}],
    "responses": {"200": {"description": "The game", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Game"}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/check": {
  "post": {"summary": "What is wrong with a text", "operationId": "check",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/GameRef"}}}},
    "responses": {"200": {"description": "The findings", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Check"}}}},
      "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/position": {
  "post": {"summary": "Where a play is after some steps", "operationId": "position",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "as": {"$ref": "#/components/schemas/As"},
        "fluents": {"type": "boolean", "description": "tell every fact that can ever hold, too"}}}}}},
    "responses": {"200": {"description": "The position", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Position"}}}},
      "404": {"$ref": "#/components/responses/Refused"}, "422": {"$ref": "#/components/responses/Refused"},
      "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/step": {
  "post": {"summary": "Make a step: whoever has one legal move makes it, and the dice are thrown",
    "operationId": "step",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps", "moves"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "moves": {"$ref": "#/components/schemas/Step"}, "as": {"$ref": "#/components/schemas/As"}}}}}},
    "responses": {"200": {"description": "The step, and where it leads", "content": {"application/json": {"schema":
        {"type": "object", "required": ["step", "position"], "properties": {
          "step": {"$ref": "#/components/schemas/Step"}, "position": {"$ref": "#/components/schemas/Position"}}}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/players": {
  "get": {"summary": "The engines that can play", "operationId": "listPlayers",
    "responses": {"200": {"description": "All of them, with their options", "content": {"application/json": {"schema":
      {"type": "object", "required": ["players"], "properties": {
        "players": {"type": "array", "items": {"$ref": "#/components/schemas/PlayerAbout"}}}}}}}}}},
"/api/think": {
  "post": {"summary": "Let an engine choose a move", "operationId": "think",
    "description": "Events: `thought` (Thought) now and then, and at the end `move` ({ move, thought }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps", "role", "player"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "role": {"type": "string"}, "player": {"$ref": "#/components/schemas/Player"},
        "seconds": {"type": "number"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/analyse": {
  "post": {"summary": "What every move is worth", "operationId": "analyse",
    "description": "Events: `thought` (Thought), `solved` (Solved) where it is known, and `end` ({ stop }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "seconds": {"type": "number"}, "player": {"$ref": "#/components/schemas/Player"},
        "as": {"$ref": "#/components/schemas/As"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/solve": {
  "post": {"summary": "Who wins, and how", "operationId": "solve",
    "description": "Events: `progress` ({ text, work }), and at the end `solved` (Solution).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "seconds": {"type": "number"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/strategies/{id}": {
  "get": {"summary": "A strategy that was found", "operationId": "getStrategy",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"}],
    "responses": {"200": {"description": "What it is, and who checked it", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/StrategyAbout"}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/nodes": {
  "get": {"summary": "Some of its nodes, the nearest first", "operationId": "strategyNodes",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"},
      {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 0}},
      {"name": "depth", "in": "query", "schema": {"type": "integer", "minimum": 0}},
      {"name": "most", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
    "responses": {"200": {"description": "The nodes", "content": {"application/json": {"schema":
        {"type": "object", "required": ["nodes"], "properties": {
          "nodes": {"type": "array", "items": {"$ref": "#/components/schemas/StrategyNode"}}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/find": {
  "get": {"summary": "Nodes by what is written at them", "operationId": "findInStrategy",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"},
      {"name": "text", "in": "query", "required": true, "schema": {"type": "string"}},
      {"name": "most", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
    "responses": {"200": {"description": "How many there are, and the first of them", "content": {
        "application/json": {"schema": {"type": "object", "required": ["total", "found"], "properties": {
          "total": {"type": "integer"}, "found": {"type": "array", "items": {"type": "object",
            "required": ["id", "depth", "label", "path"], "properties": {
              "id": {"type": "integer"}, "depth": {"type": "integer"}, "label": {"type": "string"},
              "path": {"type": "array", "items": {"type": "string"}}}}}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/follow": {
  "post": {"summary": "The nodes that a play goes through, as far as the strategy goes",
    "operationId": "followStrategy",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"}],
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["moves"], "properties": {
        "moves": {"type": "array", "items": {"anyOf": [{"type": "string"},
          {"$ref": "#/components/schemas/Step"}]}}}}}}},
    "responses": {"200": {"description": "The path", "content": {"application/json": {"schema":
        {"type": "object", "required": ["path"], "properties": {
          "path": {"type": "array", "items": {"type": "integer"}}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/file": {
  "get": {"summary": "The strategy as a file, for `zermelo verify`", "operationId": "strategyFile",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"}],
    "responses": {"200": {"description": "The file", "content": {"application/json": {}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/attractors": {
  "post": {"summary": "Who wins each state of a small game, and in how many rounds", "operationId": "attractors",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}}}}}},
    "responses": {"200": {"description": "All states and moves", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Attractors"}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/tree": {
  "post": {"summary": "The search tree of a small quantified model, as it grows", "operationId": "tree",
    "description": "Events: `begin` (Tree), `grow` (TreeEvent[]), `end` ({ verdict, nodes, stop, truncated }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "seconds": {"type": "number"},
        "most": {"type": "integer", "description": "events before it is truncated"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/tournaments": {
  "post": {"summary": "Let engines play against each other", "operationId": "tournament",
    "description": "Events: `start` ({ labels, games, scheduled }), `standings` (Standings) after every match, `end` ({ stop, files: { json, csv, html } }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["games", "players"], "properties": {
        "games": {"type": "array", "items": {"$ref": "#/components/schemas/GameRef"}},
        "players": {"type": "array", "items": {"$ref": "#/components/schemas/Player"}},
        "form": {"type": "string"}, "rounds": {"type": "integer"},
        "clock": {"type": "number", "description": "seconds a move"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/status": {
  "get": {"summary": "How busy the program is", "operationId": "status",
    "responses": {"200": {"description": "Works and memory", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Status"}}}}}}},
"/api/openapi.json": {
  "get": {"summary": "This document", "operationId": "openapi",
    "responses": {"200": {"description": "OpenAPI 3.1", "content": {"application/json": {}}}}}}
})json";

constexpr const char* components = R"json({
"securitySchemes": {"token": {"type": "http", "scheme": "bearer",
  "description": "Asked for where the program listens for others than its own machine."}},
"parameters": {
  "StrategyId": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"},
    "description": "of a Solution; the program keeps the last ones only"}},
"responses": {
  "Refused": {"description": "It cannot be done, and why",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}},
  "Busy": {"description": "Not now: too much work is under way, or a limit was reached",
    "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}},
  "Events": {"description": "Server-sent events, whose data is JSON. The event `error` (Refusal) ends it where it fails. The work ends when the connection does.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
"schemas": {
  "Refusal": {"type": "object", "required": ["error"], "properties": {
    "error": {"type": "string"}, "line": {"type": "integer"}, "column": {"type": "integer"}}},
  "Kind": {"enum": ["gdl", "minizinc", "graph"]},
  "GameRef": {"type": "object",
    "description": "A game of the library by its id, or a text with its kind. Parameters are of models.",
    "properties": {"id": {"type": "string"}, "kind": {"$ref": "#/components/schemas/Kind"}, "text": {"type": "string"},
      "parameters": {"type": "object", "additionalProperties": {"type": "string"}}}},
  "Words": {"type": "object", "required": ["en"], "properties": {"en": {"type": "string"}, "fr": {"type": "string"}}},
  "Tag": {"enum": ["dice", "hidden", "simultaneous", "turns", "puzzle", "graph", "quantified", "strategic",
    "stochastic", "planning"]},
  "GameSummary": {"type": "object",
    "required": ["id", "kind", "title", "words", "tags", "themes", "seats", "solved", "parameters"],
    "properties": {"id": {"type": "string"}, "kind": {"$ref": "#/components/schemas/Kind"},
      "title": {"$ref": "#/components/schemas/Words"}, "words": {"$ref": "#/components/schemas/Words"},
      "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
      "themes": {"type": "array", "items": {"type": "string"}, "description": "as the author says"},
      "seats": {"type": "array", "items": {"type": "string"}},
      "solved": {"enum": [null, "won", "lost", "drawn"]},
      "parameters": {"type": "array", "items": {"type": "object", "required": ["name", "value"],
        "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}}}},
  "Game": {"allOf": [{"$ref": "#/components/schemas/GameSummary"}, {"type": "object", "required": ["text", "hints"],
    "properties": {"text": {"type": "string"}, "hints": {"$ref": "#/components/schemas/Hints"}}}]},
  "Hints": {"type": "object", "properties": {
    "board": {"type": "object", "required": ["fact"], "properties": {"fact": {"type": "string"},
      "x": {"type": "integer"}, "y": {"type": "integer"}, "piece": {"type": "integer"},
      "up": {"type": "boolean"}, "chequered": {"type": "boolean"},
      "lean": {"enum": ["left", "right"], "description": "each row is half a place beside the one above it"}}},
    "pieces": {"type": "object", "additionalProperties": {"type": ["object", "null"], "properties": {
      "text": {"type": "string"}, "colour": {"type": "string"}, "title": {"$ref": "#/components/schemas/Words"}}}},
    "roles": {"type": "object", "additionalProperties": {"type": "object", "properties": {
      "title": {"$ref": "#/components/schemas/Words"}, "colour": {"type": "string"}}}}}},
  "Finding": {"type": "object", "required": ["severity", "line", "column", "message", "remedy"], "properties": {
    "severity": {"enum": ["error", "warning", "note"]}, "line": {"type": "integer"}, "column": {"type": "integer"},
    "message": {"type": "string"}, "remedy": {"type": "string"}}},
  "Check": {"type": "object", "required": ["findings", "playable", "seats", "tags"], "properties": {
    "findings": {"type": "array", "items": {"$ref": "#/components/schemas/Finding"}}, "playable": {"type": "boolean"},
    "seats": {"type": "array", "items": {"type": "string"}},
    "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}}}},
  "Term": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/components/schemas/Term"}}]},
  "Step": {"type": "object", "additionalProperties": {"type": "string"}, "description": "the move of each role"},
  "Steps": {"type": "array", "items": {"$ref": "#/components/schemas/Step"}},
  "As": {"type": "string", "description": "a role: tell only what it may know"},
  "Player": {"type": "string", "description": "an engine, NAME[:key=value,…]", "example": "uct:c=0.7"},
  "Values": {"type": "object", "additionalProperties": {"type": "number"}, "description": "by role"},
  "Position": {"type": "object",
    "required": ["roles", "chance", "hidden", "facts", "seen", "legal", "turn", "over", "goals"],
    "properties": {"roles": {"type": "array", "items": {"type": "string"}},
      "chance": {"type": "array", "items": {"type": "string"}}, "hidden": {"type": "boolean"},
      "facts": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Term"}},
      "seen": {"type": ["array", "null"], "items": {"type": "object", "properties": {"own": {"type": "string"},
        "percepts": {"type": "array", "items": {"$ref": "#/components/schemas/Term"}}}}},
      "legal": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object",
        "properties": {"text": {"type": "string"}, "term": {"$ref": "#/components/schemas/Term"}}}}},
      "turn": {"type": "array", "items": {"type": "string"}}, "over": {"type": "boolean"},
      "goals": {"type": ["object", "null"], "additionalProperties": {"type": "number"}},
      "fluents": {"type": "array", "items": {"$ref": "#/components/schemas/Term"},
        "description": "where they were asked for"}}},
  "PlayerAbout": {"type": "object", "required": ["name", "about", "keys"], "properties": {
    "name": {"type": "string"}, "about": {"type": "string"}, "keys": {"type": "array", "items": {"type": "object",
      "properties": {"name": {"type": "string"}, "about": {"type": "string"}}}}}},
  "Thought": {"type": "object", "properties": {"seconds": {"type": "number"}, "playouts": {"type": "number"},
    "playouts_per_second": {"type": "number"}, "positions": {"type": "number"}, "remark": {"type": "string"},
    "estimates": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
      "mean": {"type": "number"}, "low": {"type": "number"}, "high": {"type": "number"},
      "visits": {"type": "number"}, "proven": {"type": "boolean"}}}},
    "line": {"$ref": "#/components/schemas/Steps"}}},
  "Solved": {"type": "object", "properties": {"mover": {"type": ["string", "null"]},
    "values": {"$ref": "#/components/schemas/Values"}, "rank": {"type": ["integer", "null"]},
    "moves": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
      "values": {"$ref": "#/components/schemas/Values"}, "verdict": {"enum": ["won", "lost", "drawn"]},
      "rank": {"type": ["integer", "null"]}, "best": {"type": "boolean"}}}}}},
  "Solution": {"type": "object", "properties": {"verdict": {"enum": ["won", "lost", "drawn", "unknown"]},
    "stop": {"type": "string"}, "values": {"$ref": "#/components/schemas/Values"},
    "best": {"type": "array", "items": {"type": "string"}}, "engine": {"type": "string"},
    "seconds": {"type": "number"}, "work": {"type": "integer", "description": "states or nodes"},
    "strategies": {"type": "array", "items": {"$ref": "#/components/schemas/StrategyAbout"}}}},
  "Stamp": {"type": "object", "properties": {"valid": {"type": "boolean"}, "positions": {"type": "integer"},
    "scenarios": {"type": "string"}, "problem": {"type": "string"}}},
  "StrategyAbout": {"type": "object", "properties": {"id": {"type": "string"}, "owner": {"type": "string"},
    "promise": {"type": "number"}, "nodes": {"type": "integer"},
    "layers": {"type": "array", "items": {"type": "integer"}}, "root": {"type": "integer"},
    "truncated": {"type": "boolean", "description": "too large to be kept whole: the layers nearest to the root are"},
    "check": {"$ref": "#/components/schemas/Stamp"}}},
  "StrategyNode": {"type": "object", "properties": {"id": {"type": "integer"}, "depth": {"type": "integer"},
    "kind": {"enum": ["owner", "other", "chance", "end"]}, "label": {"type": "string"},
    "facts": {"type": "array", "items": {"$ref": "#/components/schemas/Term"}},
    "payoff": {"type": ["number", "null"]}, "edges": {"type": "array", "items": {"type": "object", "properties": {
      "labels": {"type": "array", "items": {"type": "string"}}, "to": {"type": "integer"}}}},
    "cut": {"type": "boolean", "description": "what follows is not kept"}}},
  "Attractors": {"type": "object", "properties": {"players": {"type": "array", "items": {"type": "string"}},
    "states": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"},
      "turn": {"type": ["integer", "null"]}, "payoffs": {"type": ["array", "null"], "items": {"type": "number"}},
      "initial": {"type": "boolean"}, "winner": {"type": ["integer", "null"]}, "rank": {"type": ["integer", "null"]},
      "move": {"type": ["integer", "null"]}}}},
    "moves": {"type": "array", "items": {"type": "object", "properties": {"from": {"type": "integer"},
      "to": {"type": "integer"}, "name": {"type": "string"}}}},
    "rounds": {"type": "integer"}}},
  "Tree": {"type": "object", "properties": {"variables": {"type": "array", "items": {"type": "object",
    "properties": {"name": {"type": "string"}, "quantifier": {"enum": ["exists", "forall"]}}}}}},
  "TreeEvent": {"type": "array", "description": "[open, variable], [branch, value], [leaf, won, reason] or [close, won]"},
  "Standings": {"type": "object", "properties": {"finished": {"type": "integer"}, "scheduled": {"type": "integer"},
    "players": {"type": "array", "items": {"type": "object", "properties": {"player": {"type": "string"},
      "score": {"type": "number"}, "low": {"type": "number"}, "high": {"type": "number"},
      "wins": {"type": "integer"}, "draws": {"type": "integer"}, "losses": {"type": "integer"},
      "rating": {"type": ["number", "null"]}, "rating_low": {"type": ["number", "null"]},
      "rating_high": {"type": ["number", "null"]}}}},
    "points": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "games": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "errors": {"type": "array", "items": {"type": "string"}}}},
  "Status": {"type": "object", "required": ["version", "running", "waiting", "memory", "budget"], "properties": {
    "version": {"type": "string"}, "running": {"type": "integer", "description": "works under way"},
    "waiting": {"type": "integer"}, "memory": {"type": "integer", "description": "bytes of the process"},
    "budget": {"type": "integer"}}}
}})json";

}  // namespace

const nlohmann::json& openapi() {
    using nlohmann::json;
    static const json document = {{"openapi", "3.1.0"},
                                  {"info",
                                   {{"title", "Zermelo"},
                                    {"version", ZERMELO_VERSION},
                                    {"description",
                                     "Finite games: the library, play, analysis, strategies, tournaments. "
                                     "The program keeps nothing of a "
                                     "play: whoever asks sends the steps that were made."},
                                    {"license", {{"name", "MIT"}, {"identifier", "MIT"}}}}},
                                  {"security", {json::object(), {{"token", json::array()}}}},
                                  {"paths", json::parse(paths)},
                                  {"components", json::parse(components)}};
    return document;
}

}  // namespace zermelo::web
