// Plants a fault at a random frame of a random page and counts how often a render notices it:
// npm run lab -- planted-faults [--count 100] [--seed 1] [--ways observed|unobserved|NAME].
import { setMaxListeners } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPool } from '@vid/kernel'
import { path } from '../../scripts/workspaces.mjs'
import { OBSERVED, UNOBSERVED } from './planted-faults/plant.mjs'
import { openTarget, tryFault } from './planted-faults/try-fault.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    ways: { type: 'string', default: 'observed' },
  },
})
const GROUPS = { observed: Object.keys(OBSERVED), unobserved: Object.keys(UNOBSERVED) }
const ways = GROUPS[values.ways] ?? [values.ways]

/** The longest fault that is not of one frame. */
const MAX_FRAMES = 60

/** mulberry32 */
let state = Number(values.seed)
const random = () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const below = (count) => Math.floor(random() * count)
const oneOf = (list) => list[below(list.length)]

/** The HTML files of each folder in a folder, by their paths. */
const pagesIn = (folder) =>
  readdirSync(path(folder), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .flatMap(({ name }) => readdirSync(path(join(folder, name))).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith('.html'))
const files = ['bench/compositions', 'examples', 'e2e/projects'].flatMap(pagesIn).sort()

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort())
setMaxListeners(0, stop.signal)
const context = { shared: createPool(), signal: stop.signal }
const targets = new Map()
const targetOf = async (file) => {
  if (!targets.has(file)) targets.set(file, await openTarget(path(file), context).catch(() => undefined))
  return targets.get(file)
}

const counts = { found: 0, missed: 0, none: 0, crashed: 0 }
const single = { found: 0, missed: 0 }
try {
  while (counts.found + counts.missed < Number(values.count)) {
    stop.signal.throwIfAborted()
    const file = oneOf(files)
    const target = await targetOf(file)
    if (!target) continue
    const first = 1 + below(target.frames - 2)
    const length = random() < 0.5 ? 1 : 2 + below(MAX_FRAMES - 1)
    const fault = {
      way: oneOf(ways),
      first,
      end: Math.min(first + length, target.frames),
      left: below(60),
      top: below(60),
    }
    const outcome = await tryFault(target, fault, context)
    counts[outcome] += 1
    if (length === 1 && outcome in single) single[outcome] += 1
    const frames = `frame ${fault.first} to ${fault.end - 1} of ${target.frames}`
    console.log(`${outcome.padEnd(7)} ${fault.way.padEnd(9)} ${frames.padEnd(26)} ${file}`)
  }
} finally {
  await context.shared.close()
}
const all = counts.found + counts.missed
console.log(
  `\n${counts.found} of ${all} faults found; of one frame, ${single.found} of ${single.found + single.missed}. ${counts.none} tries more planted none: it could not be seen, or a slower lane captures the frame. ${counts.crashed} crashed the page.`,
)
if (counts.missed > all / 100) process.exitCode = 1
