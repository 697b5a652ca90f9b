// Kills each process of a render at each of its stages, and says what came of it: npm run lab -- kill-matrix.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findFfmpeg } from '@vid/ffmpeg'
import { cases } from './kills/cases.mjs'
import { writeProject } from './kills/project.mjs'
import { outputName, renderWhole, runCase } from './kills/run.mjs'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    first: { type: 'string', default: '1' },
    stage: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- kill-matrix [--only NUMBER,…] [--first NUMBER] [--stage STAGE]

Renders, kills a process with SIGKILL, and compares: a killed child must cost no byte, or end as an error with a code;
a killed command must leave the former output, and nothing after the next command.`)
  process.exit()
}

/** Runs this script with a /dev/shm of its own, where nothing of other renders is seen. */
const inOwnSharedMemory = () => {
  const user = process.getuid() === 0 ? [] : ['--user', '--map-root-user']
  const mount = 'mount -t tmpfs -o size=4g tmpfs /dev/shm && exec "$@"'
  const words = [...user, '--mount', 'sh', '-c', mount, 'sh', process.execPath, fileURLToPath(import.meta.url)]
  const { status, error } = spawnSync('unshare', [...words, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, KILL_MATRIX_INSIDE: '1' },
  })
  if (error) throw error
  process.exit(status ?? 1)
}
if (!process.env.KILL_MATRIX_INSIDE) inOwnSharedMemory()

const numbers = flags.only?.split(',').map(Number)
const chosen = cases.filter(
  ({ number, stage }) =>
    (numbers?.includes(number) ?? number >= Number(flags.first)) && (flags.stage ?? stage) === stage,
)
const work = mkdtempSync(join(tmpdir(), 'vid-kills-'))
const references = new Map()
const rows = []
try {
  const tools = await findFfmpeg()
  const project = join(work, 'project')
  writeProject(project, tools)
  /** A whole result of a format; the former one is in another quality, so that its bytes are others. */
  const wholeOf = async (format, quality) => {
    const key = `${format}-${quality}`
    if (!references.has(key)) {
      const output = join(work, key, outputName(format))
      const args = ['render', project, '--format', format, '--quality', quality, '-o', output]
      if (format === 'png-sequence' && quality === 'draft') args.push('--fps', '10')
      await renderWhole(args, { VID_FFMPEG_PATH: tools.ffmpeg, VID_FFPROBE_PATH: tools.ffprobe })
      references.set(key, output)
    }
    return references.get(key)
  }
  for (const scenario of chosen) {
    const reference = await wholeOf(scenario.format, 'standard')
    const former = scenario.hasFormer ? await wholeOf(scenario.format, 'draft') : undefined
    const { outcome, remains, wrong } = await runCase(scenario, { work, project, former, reference, tools })
    rows.push({ ...scenario, outcome, wrong })
    const columns = [
      String(scenario.number).padStart(2),
      scenario.stage.padEnd(14),
      scenario.victim.padEnd(8),
      `${scenario.format} ×${scenario.workers}`.padEnd(15),
      outcome.padEnd(36),
      remains > 0 ? `${remains} left, swept` : '',
    ]
    console.log(`${wrong.length > 0 ? 'WRONG' : 'ok   '} ${columns.join('  ')}`.trimEnd())
    for (const problem of wrong) console.log(`        ${problem.replaceAll('\n', '\n        ')}`)
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
const bad = rows.filter(({ wrong }) => wrong.length > 0).length
console.log(`${rows.length} runs, ${bad} wrong`)
process.exitCode = bad > 0 ? 1 : 0
