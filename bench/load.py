#!/usr/bin/env python3
"""Many clients at once, on this machine alone: zermelo serve under solves, mutated and plain requests, and zermelo player with
many matches. Prints counts and how long answers took; exit code 1 where a promise is broken.

usage: bench/load.py [serve] [player]     both by default
       ZERMELO=…      another program
       REQUESTS=10000 requests of each kind to serve
       MATCHES=500    matches at once with player
"""

import asyncio
import copy
import json
import os
import random
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ZERMELO = os.environ.get("ZERMELO", os.path.join(ROOT, "build", "zermelo"))
REQUESTS = int(os.environ.get("REQUESTS", "10000"))
MATCHES = int(os.environ.get("MATCHES", "500"))
AT_ONCE = 32  # requests

broken = []


def promise(kept, what):
    if not kept:
        broken.append(what)
        print("broken:", what)


def tell(what, seconds):
    seconds = sorted(seconds)
    part = lambda share: seconds[min(len(seconds) - 1, int(share * len(seconds)))]
    print(f"{what}: {len(seconds)} answers; half within {part(0.5) * 1000:.1f} ms, 99 % within "
          f"{part(0.99) * 1000:.1f} ms, all within {seconds[-1] * 1000:.1f} ms")


def resident_megabytes(process):
    with open(f"/proc/{process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) // 1024


async def ask(port, method, path, body=None, client=0, seconds=60):
    """The status, the body, and how long it took. Clients have addresses of their own, as the server counts by address."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(f"127.0.1.{1 + client % 200}", 0))
    data = b"" if body is None else body.encode("utf-8", "surrogatepass")
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    try:
        writer.write(head.encode() + b"\r\n" + data)
        answer = await asyncio.wait_for(reader.read(-1), seconds)
    finally:
        writer.close()
    match = re.match(rb"HTTP/1\.1 (\d+)", answer)
    return int(match.group(1)) if match else 0, answer.partition(b"\r\n\r\n")[2], time.monotonic() - begun


# ---- the page's server ----

NIM = {"id": "gdl/nim"}
PASTED = {"kind": "gdl", "text": "(role a)(init (on 1))(legal a go)(<= (next (on 2)) (does a go))"
                                 "(<= terminal (true (on 2)))(goal a 100)"}
GRAPH = {"id": "graphs/subtraction-13"}
GOOD = [
    ("/api/check", PASTED),
    ("/api/position", {"game": NIM, "steps": [{"alice": "(leave a 0)", "bob": "wait"}], "as": "alice", "fluents": True}),
    ("/api/step", {"game": NIM, "steps": [], "moves": {"alice": "(leave a 0)"}}),
    ("/api/think", {"game": NIM, "steps": [], "role": "alice", "player": "uct", "seconds": 0.01}),
    ("/api/solve", {"game": GRAPH, "seconds": 1}),
    ("/api/attractors", {"game": GRAPH}),
]
ODD = [None, True, -1, 0, 1, 0.5, -1e300, 1e300, 1 << 63, "", "x", "\n\t\\\"", "../../x", "é", "(" * 300, [], [1], [[[]]],
       {}, {"x": None}, {"id": 3}]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key,))


def mutated(body, dice):
    if dice.random() < 0.3:
        text = json.dumps(body)
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text) + 1)
            text = dice.choice([text[:at], text[:at] + chr(dice.randrange(256)) + text[at + 1:],
                                text[:at] + text[at + dice.randint(1, 8):], text[:at] + text[at // 2:at] + text[at:]])
        return text
    changed = copy.deepcopy(body)
    for _ in range(dice.randint(1, 2)):
        path = dice.choice(list(places(changed)))
        if not path:
            return json.dumps(dice.choice(ODD))
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict) and dice.random() < 0.3:
            del inner[path[-1]]
        else:
            inner[path[-1]] = copy.deepcopy(dice.choice(ODD))
    return json.dumps(changed)


async def many(count, one, pause=0.0):
    """count calls of one(number), some at a time, evenly spread where there is a pause between two."""
    gate = asyncio.Semaphore(AT_ONCE)
    begun = time.monotonic()

    async def call(number):
        async with gate:
            return await one(number)

    calls = []
    for number in range(count):
        late = begun + number * pause - time.monotonic()
        if late > 0:
            await asyncio.sleep(late)
        calls.append(asyncio.ensure_future(call(number)))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    return await asyncio.gather(*calls)


async def load_serve():
    process = subprocess.Popen([ZERMELO, "serve", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True)
    try:
        ready = json.loads(process.stdout.readline())
        port = int(ready.get("port") or re.search(r":(\d+)", ready["url"]).group(1))
        before = resident_megabytes(process)

        solve = json.dumps({"game": {"id": "gdl/othello"}, "seconds": 12, "engine": "alpha-beta"})
        solves = [asyncio.ensure_future(ask(port, "POST", "/api/solve", solve, client)) for client in range(8)]
        await asyncio.sleep(1)
        times = []
        while len(times) < 200 and not all(each.done() for each in solves):
            status, _, seconds = await ask(port, "GET", "/api/status", client=9)
            promise(status == 200, f"/api/status answers {status} under eight solves")
            times.append(seconds)
            await asyncio.sleep(0.03)
        tell("the status under eight solves", times)
        promise(max(times) <= 0.5, "the status takes longer than 0.5 s")
        for status, _, _ in await asyncio.gather(*solves):
            promise(status in (200, 503), f"a solve ends with {status}")
        await asyncio.sleep(1)
        print(f"memory: {before} MB before the solves, {resident_megabytes(process)} MB after them")

        dice = random.Random(1)
        counts = {}

        async def wrong(number):
            path, body = GOOD[number % len(GOOD)]
            text = mutated(body, dice)
            status, answer, seconds = await ask(port, "POST", path, text, number)
            counts[status] = counts.get(status, 0) + 1
            promise(status and (status < 500 or status == 503), f"status {status} for {path} {text}: {answer[:200]}")
            return seconds

        tell("mutated requests", await many(REQUESTS, wrong))
        print("  by status:", dict(sorted(counts.items())))

        async def right(number):
            if number % 2 == 0:
                status, _, seconds = await ask(port, "GET", "/api/status", client=number)
            else:
                path, body = GOOD[1 + number // 2 % 2]
                status, _, seconds = await ask(port, "POST", path, json.dumps(body), number)
            promise(status == 200, f"a plain request gets {status}")
            return seconds

        begun = time.monotonic()
        times = await many(REQUESTS, right, pause=60 / 10000)
        tell(f"plain requests, {len(times) / (time.monotonic() - begun) * 60:.0f} a minute", times)
        promise(max(times) <= 2, "a plain request takes longer than 2 s")
        print(f"memory: {resident_megabytes(process)} MB at the end")
    finally:
        process.terminate()
        process.wait()


# ---- the player ----

async def say(port, text, seconds):
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
        answer = await asyncio.wait_for(reader.read(-1), seconds + 5)
    finally:
        writer.close()
    return answer.partition(b"\r\n\r\n")[2].decode().strip(), time.monotonic() - begun


async def play_match(port, name, rules, clock, times, faults):
    """Tic-tac-toe against random marks."""
    dice = random.Random(name)
    open_cells = {(x, y) for x in "123" for y in "123"}
    answer, seconds = await say(port, f"(START {name} x ({rules}) {clock} {clock})", clock)
    if answer != "ready":
        faults.append(f"{name}: {answer} to START")
        return
    moves = "NIL"
    for turn in range(9):
        answer, seconds = await say(port, f"(PLAY {name} {moves})", clock)
        times.append(seconds)
        mark = re.fullmatch(r"\(\s*mark (\d) (\d)\s*\)", answer)
        if seconds > clock:
            faults.append(f"{name}: late by {seconds - clock:.3f} s")
        if turn % 2 == 0:
            if not mark or mark.groups() not in open_cells:
                faults.append(f"{name}: {answer} at turn {turn}")
                return
            open_cells.discard(mark.groups())
            moves = f"({answer} wait)"
        else:
            if answer != "wait":
                faults.append(f"{name}: {answer} at turn {turn}")
                return
            cell = dice.choice(sorted(open_cells))
            open_cells.discard(cell)
            moves = f"(wait (mark {cell[0]} {cell[1]}))"
        if len(open_cells) <= 4:  # somebody may have a line
            break
    await say(port, f"(ABORT {name})", clock)


async def load_player():
    with open(os.path.join(ROOT, "games", "gdl", "tic-tac-toe.kif")) as file:
        rules = " ".join(re.sub(r";.*", "", line).strip() for line in file)
    clock = 20
    process = subprocess.Popen([ZERMELO, "player", "--port", "0", "--matches", str(MATCHES), "--memory", "4M", "--no-journal",
                                "--strategy", "uct"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/", process.stdout.readline()).group(1))
        times = []
        faults = []
        begun = time.monotonic()
        await asyncio.gather(*[play_match(port, f"m{number}", rules, clock, times, faults) for number in range(MATCHES)])
        tell(f"{MATCHES} matches at once with clocks of {clock} s, {time.monotonic() - begun:.0f} s in all", times)
        print(f"faults: {len(faults)}; memory: {resident_megabytes(process)} MB")
        for fault in faults[:5]:
            print(" ", fault)
        promise(not faults, "a player was late, or made no legal move")
    finally:
        process.terminate()
        process.wait()


def main():
    parts = sys.argv[1:] or ["serve", "player"]
    for part in parts:
        if part not in ("serve", "player"):
            sys.exit(__doc__)
    if "serve" in parts:
        asyncio.run(load_serve())
    if "player" in parts:
        asyncio.run(load_player())
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
