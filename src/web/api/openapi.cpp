#include "web/api/openapi.hpp"

#include "core/format/json_text.hpp"
#include "zermelo/version.hpp"

namespace zermelo::web {

namespace {

// The paths, and below what they are made of; both in the order of web/src/api.ts.
constexpr const char* paths = R"json({
"/api/games": {
  "get": {"summary": "List the games of the library", "operationId": "listGames",
    "responses": {"200": {"description": "All games, sorted by id", "content": {"application/json": {"schema":
      {"type": "object", "required": ["games"],
       "properties": {"games": {"type": "array", "items": {"$ref": "#/components/schemas/GameSummary"}}}}}}}}}},
"/api/games/{folder}/{name}": {
  "get": {"summary": "One game, with its text and drawing hints", "operationId": "getGame",
    "parameters": [{"name": "folder", "in": "path", "required": true, "schema": {"type": "string"}, "example": "gdl"},
      {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}, "example": "tic-tac-toe"}],
    "responses": {"200": {"description": "The game", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Game"}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/games/{folder}/{name}/first": {
  "get": {"summary": "The board of the first position of a game in GDL, for a picture", "operationId": "firstPosition",
    "parameters": [{"name": "folder", "in": "path", "required": true, "schema": {"type": "string"}, "example": "gdl"},
      {"name": "name", "in": "path", "required": true, "schema": {"type": "string"}, "example": "tic-tac-toe"}],
    "responses": {"200": {"description": "The facts on the board, as the rules write them, and the hints without words", "content": {"application/json": {"schema":
        {"type": "object", "required": ["facts", "hints"], "properties": {
          "facts": {"type": "array", "items": {"type": "string"}}, "hints": {"type": "object"}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/check": {
  "post": {"summary": "Check the text of a game", "operationId": "check",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/GameRef"}}}},
    "responses": {"200": {"description": "The findings", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Check"}}}},
      "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/editor/{request}": {
  "post": {"summary": "What an editor asks about the text of a game",
    "description": "As textDocument/… of the Language Server Protocol 3.17 answers it: the result is null, or what the protocol says. Positions count lines and UTF-16 units from 0.",
    "operationId": "editor",
    "parameters": [{"name": "request", "in": "path", "required": true, "example": "hover",
      "schema": {"enum": ["hover", "definition", "references", "prepareRename", "rename", "formatting"]}}],
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["kind", "text"], "properties": {
        "kind": {"$ref": "#/components/schemas/Kind"}, "text": {"type": "string"},
        "position": {"type": "object", "required": ["line", "character"], "properties": {
          "line": {"type": "integer"}, "character": {"type": "integer"}}},
        "newName": {"type": "string", "description": "of a rename"}}}}}},
    "responses": {"200": {"description": "The result", "content": {"application/json": {"schema":
        {"type": "object", "required": ["result"], "properties": {"result": {}}}}}},
      "413": {"$ref": "#/components/responses/Refused"}, "422": {"$ref": "#/components/responses/Refused"},
      "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/position": {
  "post": {"summary": "The position after a sequence of steps", "operationId": "position",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "as": {"$ref": "#/components/schemas/As"},
        "fluents": {"type": "boolean", "description": "also list every fluent of the game"}}}}}},
    "responses": {"200": {"description": "The position", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Position"}}}},
      "404": {"$ref": "#/components/responses/Refused"}, "422": {"$ref": "#/components/responses/Refused"},
      "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/step": {
  "post": {"summary": "Make a step. Roles with a single legal move and chance move automatically.",
    "operationId": "step",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps", "moves"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "moves": {"$ref": "#/components/schemas/Step"}, "as": {"$ref": "#/components/schemas/As"}}}}}},
    "responses": {"200": {"description": "The step and the resulting position", "content": {"application/json": {"schema":
        {"type": "object", "required": ["step", "position"], "properties": {
          "step": {"$ref": "#/components/schemas/Step"}, "position": {"$ref": "#/components/schemas/Position"}}}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/output": {
  "post": {"summary": "A position of a model as its output item shows it",
    "description": "What depends on moves that are still to be made is shown as dots; the text is empty where the model has no output item.",
    "operationId": "output",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"}}}}}},
    "responses": {"200": {"description": "The text", "content": {"application/json": {"schema":
        {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/replay": {
  "post": {"summary": "A play from its text, step by step",
    "description": "Steps stand on lines of their own or between semicolons: the moves of those who had a choice, with & between; `-` where nobody had one.",
    "operationId": "replay",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "play"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "play": {"type": "string"}}}}}},
    "responses": {"200": {"description": "The steps, and who chose", "content": {"application/json": {"schema":
        {"type": "object", "required": ["entries"], "properties": {"entries": {"type": "array", "items": {
          "type": "object", "properties": {"step": {"$ref": "#/components/schemas/Step"},
            "by": {"type": "array", "items": {"type": "string"}}, "forced": {"type": "boolean"},
            "before": {"type": ["array", "null"]}}}}}}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/players": {
  "get": {"summary": "List the players", "operationId": "listPlayers",
    "responses": {"200": {"description": "All players, with their keys", "content": {"application/json": {"schema":
      {"type": "object", "required": ["players"], "properties": {
        "players": {"type": "array", "items": {"$ref": "#/components/schemas/PlayerAbout"}}}}}}}}}},
"/api/think": {
  "post": {"summary": "Let a player choose a move", "operationId": "think",
    "description": "Events: `thought` (Thought) at intervals, then `move` ({ move, thought }) at the end.",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps", "role", "player"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "role": {"type": "string"}, "player": {"$ref": "#/components/schemas/Player"},
        "seconds": {"type": "number"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/analyse": {
  "post": {"summary": "The value of every move", "operationId": "analyse",
    "description": "Events: `thought` (Thought) at intervals, `solved` (Solved) if the position is solved, and `end` ({ stop }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game", "steps"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "seconds": {"type": "number"}, "player": {"$ref": "#/components/schemas/Player"},
        "as": {"$ref": "#/components/schemas/As"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/why": {
  "post": {"summary": "Why a move wins: best play from the position, with the worth of every reply", "operationId": "why",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "steps": {"$ref": "#/components/schemas/Steps"},
        "play": {"type": "string", "description": "the play as text, instead of its steps"},
        "history": {"type": "boolean", "description": "also explain the positions before"},
        "seconds": {"type": "number"}}}}}},
    "responses": {"200": {"description": "The explanation", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Why"}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/solve": {
  "post": {"summary": "Solve a game: who wins, and by which strategy", "operationId": "solve",
    "description": "Events: `progress` ({ text, work }) at intervals, then `solved` (Solution) at the end.",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "seconds": {"type": "number"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/strategies/{id}": {
  "get": {"summary": "A stored strategy", "operationId": "getStrategy",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"}],
    "responses": {"200": {"description": "The strategy and the result of its check", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/StrategyAbout"}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/nodes": {
  "get": {"summary": "Nodes of a strategy, in order of depth", "operationId": "strategyNodes",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"},
      {"name": "from", "in": "query", "schema": {"type": "integer", "minimum": 0}},
      {"name": "depth", "in": "query", "schema": {"type": "integer", "minimum": 0}},
      {"name": "most", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
    "responses": {"200": {"description": "The nodes", "content": {"application/json": {"schema":
        {"type": "object", "required": ["nodes"], "properties": {
          "nodes": {"type": "array", "items": {"$ref": "#/components/schemas/StrategyNode"}}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/find": {
  "get": {"summary": "Find nodes by their label", "operationId": "findInStrategy",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"},
      {"name": "text", "in": "query", "required": true, "schema": {"type": "string"}},
      {"name": "most", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
    "responses": {"200": {"description": "The number of nodes found, and the first of them", "content": {
        "application/json": {"schema": {"type": "object", "required": ["total", "found"], "properties": {
          "total": {"type": "integer"}, "found": {"type": "array", "items": {"type": "object",
            "required": ["id", "depth", "label", "path"], "properties": {
              "id": {"type": "integer"}, "depth": {"type": "integer"}, "label": {"type": "string"},
              "path": {"type": "array", "items": {"type": "string"}}}}}}}}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/strategies/{id}/follow": {
  "post": {"summary": "The nodes that a play visits while it follows the strategy",
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
  "get": {"summary": "The strategy as a file for `zermelo verify`", "operationId": "strategyFile",
    "parameters": [{"$ref": "#/components/parameters/StrategyId"}],
    "responses": {"200": {"description": "The file", "content": {"application/json": {}}},
      "404": {"$ref": "#/components/responses/Refused"}}}},
"/api/attractors": {
  "post": {"summary": "Attractors of a small game: the winner and rank of each state", "operationId": "attractors",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}}}}}},
    "responses": {"200": {"description": "All states and moves", "content": {"application/json": {"schema":
        {"$ref": "#/components/schemas/Attractors"}}}},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/tree": {
  "post": {"summary": "The search tree of a small quantified model, event by event", "operationId": "tree",
    "description": "Events: `begin` (Tree), `grow` (TreeEvent[]), `end` ({ verdict, nodes, stop, truncated }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["game"], "properties": {
        "game": {"$ref": "#/components/schemas/GameRef"}, "seconds": {"type": "number"},
        "most": {"type": "integer", "description": "largest number of events; the tree is truncated beyond it"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/tournaments": {
  "post": {"summary": "Play a tournament between players", "operationId": "tournament",
    "description": "Events: `start` ({ labels, games, scheduled }), `standings` (Standings) after every match, `end` ({ stop, files: { json, csv, html } }).",
    "requestBody": {"required": true, "content": {"application/json": {"schema":
      {"type": "object", "required": ["games", "players"], "properties": {
        "games": {"type": "array", "items": {"$ref": "#/components/schemas/GameRef"}},
        "players": {"type": "array", "items": {"$ref": "#/components/schemas/Player"}},
        "form": {"type": "string"}, "rounds": {"type": "integer"},
        "clock": {"type": "number", "description": "seconds per move"}}}}}},
    "responses": {"200": {"$ref": "#/components/responses/Events"},
      "422": {"$ref": "#/components/responses/Refused"}, "503": {"$ref": "#/components/responses/Busy"}}}},
"/api/status": {
  "get": {"summary": "The load of the server", "operationId": "status",
    "responses": {"200": {"description": "Running requests and memory", "content": {"application/json": {"schema":
      {"$ref": "#/components/schemas/Status"}}}}}}},
"/api/openapi.json": {
  "get": {"summary": "This document", "operationId": "openapi",
    "responses": {"200": {"description": "OpenAPI 3.1", "content": {"application/json": {}}}}}}
})json";

constexpr const char* components = R"json({
"securitySchemes": {"token": {"type": "http", "scheme": "bearer",
  "description": "Required if the server listens on an address other than 127.0.0.1."}},
"parameters": {
  "StrategyId": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"},
    "description": "the id of a strategy in a Solution; the server keeps only the latest strategies"}},
"responses": {
  "Refused": {"description": "The request was refused, with the reason",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}},
  "Busy": {"description": "Too many requests are running, or a limit was reached",
    "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}},
  "Events": {"description": "Server-sent events with JSON data. If the work fails, the event `error` (Refusal) ends the stream. Closing the connection stops the work.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
"schemas": {
  "Refusal": {"type": "object", "required": ["error"], "properties": {
    "error": {"type": "string"}, "line": {"type": "integer"}, "column": {"type": "integer"}}},
  "Kind": {"enum": ["gdl", "minizinc", "graph"]},
  "GameRef": {"type": "object",
    "description": "A game of the library by its id, or a text with its kind. Only models have parameters.",
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
      "themes": {"type": "array", "items": {"type": "string"}, "description": "tags given by the author"},
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
      "lean": {"enum": ["left", "right"], "description": "each row is shifted by half a cell against the row above"}}},
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
  "As": {"type": "string", "description": "a role; only what this role may know is shown"},
  "Player": {"type": "string", "description": "a player: NAME[:key=value,…]", "example": "uct:exploration=0.7"},
  "Values": {"type": "object", "additionalProperties": {"type": "number"}, "description": "one value per role"},
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
        "description": "only if requested"}}},
  "PlayerAbout": {"type": "object", "required": ["name", "about", "keys"], "properties": {
    "name": {"type": "string"}, "about": {"type": "string"}, "keys": {"type": "array", "items": {"type": "object",
      "properties": {"name": {"type": "string"}, "about": {"type": "string"}}}}}},
  "Thought": {"type": "object", "properties": {"seconds": {"type": "number"}, "playouts": {"type": "number"},
    "playouts_per_second": {"type": "number"}, "positions": {"type": "number"}, "remark": {"type": "string"},
    "recommends": {"type": "boolean", "description": "false where a mixture of moves may be better than any of them"},
    "estimates": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
      "mean": {"type": "number"}, "low": {"type": "number"}, "high": {"type": "number"},
      "visits": {"type": "number"}, "proven": {"type": "boolean"}}}},
    "line": {"$ref": "#/components/schemas/Steps"}}},
  "Solved": {"type": "object", "properties": {"mover": {"type": ["string", "null"]},
    "values": {"$ref": "#/components/schemas/Values"}, "rank": {"type": ["integer", "null"]}, "expected": {"type": "boolean"},
    "moves": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
      "values": {"$ref": "#/components/schemas/Values"}, "verdict": {"enum": ["won", "lost", "drawn"]},
      "rank": {"type": ["integer", "null"]}, "best": {"type": "boolean"}}}},
    "mixtures": {"type": "array", "description": "how to mix, where players move at once or see different things",
      "items": {"type": "object", "properties": {"role": {"type": "string"}, "moves": {"type": "array",
        "items": {"type": "object", "properties": {"move": {"type": "string"}, "probability": {"type": "number"},
          "value": {"type": ["number", "null"]}}}}}}},
    "payoffs": {"description": "where each pair of moves ends the play: payoffs of the first mixture's role, a row for each of its moves",
      "type": ["array", "null"], "items": {"type": "array", "items": {"type": "number"}}}}},
  "Solution": {"type": "object", "properties": {"verdict": {"enum": ["won", "lost", "drawn", "unknown"]},
    "stop": {"type": "string"}, "values": {"$ref": "#/components/schemas/Values"},
    "best": {"type": "array", "items": {"type": "string"}}, "engine": {"type": "string"},
    "seconds": {"type": "number"}, "work": {"type": "integer", "description": "number of states or nodes"},
    "strategies": {"type": "array", "items": {"$ref": "#/components/schemas/StrategyAbout"}}}},
  "Stamp": {"type": "object", "properties": {"valid": {"type": "boolean"}, "positions": {"type": "integer"},
    "scenarios": {"type": "string"}, "problem": {"type": "string"}}},
  "StrategyAbout": {"type": "object", "properties": {"id": {"type": "string"}, "owner": {"type": "string"},
    "promise": {"type": "number"}, "nodes": {"type": "integer"},
    "layers": {"type": "array", "items": {"type": "integer"}}, "root": {"type": "integer"},
    "truncated": {"type": "boolean", "description": "too large to be kept completely; only the layers nearest to the root are kept"},
    "check": {"$ref": "#/components/schemas/Stamp"}}},
  "StrategyNode": {"type": "object", "properties": {"id": {"type": "integer"}, "depth": {"type": "integer"},
    "kind": {"enum": ["owner", "other", "chance", "end"]}, "label": {"type": "string"},
    "facts": {"type": "array", "items": {"$ref": "#/components/schemas/Term"}},
    "payoff": {"type": ["number", "null"]}, "edges": {"type": "array", "items": {"type": "object", "properties": {
      "labels": {"type": "array", "items": {"type": "string"}}, "to": {"type": "integer"}}}},
    "cut": {"type": "boolean", "description": "the nodes below are not kept"}}},
  "Attractors": {"type": "object", "properties": {"players": {"type": "array", "items": {"type": "string"}},
    "states": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"},
      "turn": {"type": ["integer", "null"]}, "payoffs": {"type": ["array", "null"], "items": {"type": "number"}},
      "initial": {"type": "boolean"}, "winner": {"type": ["integer", "null"]}, "rank": {"type": ["integer", "null"]},
      "move": {"type": ["integer", "null"]}}}},
    "moves": {"type": "array", "items": {"type": "object", "properties": {"from": {"type": "integer"},
      "to": {"type": "integer"}, "name": {"type": "string"}}}},
    "rounds": {"type": "integer"}}},
  "Why": {"type": "object", "properties": {"players": {"type": "array", "items": {"type": "string"}},
    "at": {"type": "integer", "description": "place of the position that was asked about"},
    "complete": {"type": "boolean", "description": "the line reaches the end of the play, or repeats"},
    "repeats": {"type": "boolean"}, "stop": {"type": "string"}, "states": {"type": "integer"},
    "play": {"type": "array", "items": {"type": "object", "properties": {
      "solved": {"type": "boolean"}, "mover": {"type": ["string", "null"]},
      "forced": {"type": "boolean", "description": "nobody has a choice"},
      "values": {"type": ["object", "null"]}, "verdict": {"enum": ["won", "lost", "drawn", null]},
      "left": {"type": ["integer", "null"], "description": "moves to the end by best play"},
      "choice": {"enum": ["free", "only-move", "only-answer", "only-good", "none-holds", "over", null]},
      "made": {"type": ["string", "null"]}, "step": {"description": "null at the end"},
      "facts": {"type": "array", "items": {"$ref": "#/components/schemas/Term"}},
      "threats": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
        "answers": {"type": "array", "items": {"type": "string"}}}}},
      "moves": {"type": "array", "items": {"type": "object", "properties": {"move": {"type": "string"},
        "values": {"type": "object"}, "verdict": {"enum": ["won", "lost", "drawn"]},
        "left": {"type": ["integer", "null"]}, "best": {"type": "boolean"}, "chosen": {"type": "boolean"},
        "ends": {"type": "boolean"}, "answer": {"type": ["string", "null"]},
        "loses_to": {"type": ["string", "null"]}}}}}}}}},
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
    "version": {"type": "string"}, "running": {"type": "integer", "description": "running requests"},
    "waiting": {"type": "integer"}, "memory": {"type": "integer", "description": "memory of the process in bytes"},
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
                                     "The server stores no state of a play: every request sends the steps "
                                     "made so far."},
                                    {"license", {{"name", "MIT"}, {"identifier", "MIT"}}}}},
                                  {"security", {json::object(), {{"token", json::array()}}}},
                                  {"paths", json_from_text(paths)},
                                  {"components", json_from_text(components)}};
    return document;
}

}  // namespace zermelo::web
