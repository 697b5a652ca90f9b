// Says whether this machine's GPU can draw pages, and what it gains: npm run lab -- gpu-check.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../../scripts/workspaces.mjs'
import { reportMachine, say } from './gpu-check/machine.mjs'
import { openReport } from './gpu-check/report.mjs'

const { values: flags } = parseArgs({
  options: {
    backend: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    scale: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '7.5' },
    report: { type: 'string', default: 'gpu-report.md' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run lab -- gpu-check [--backend NAME] [--seconds 2] [--scale 1] [--minutes 7.5] [--report gpu-report.md]

Installs and builds this checkout if it is not, finds the GPU by each way of this system and by each browser, proves it by
a known page, renders compositions on it twice and once without it, kills the process that draws during a render, and writes
all that into a report. Where a way does not work, the report has what the browser says about it. Exits with 1 when no way
works, the bytes of two renders differ, or a render does not survive.

--backend  vulkan, gl-egl, metal or d3d11 in place of all of this system; swiftshader tries this script without a GPU
--seconds  of each composition
--scale    pixels of the picture for each pixel of the composition
--minutes  after which it ends with what it has
--report   the file of the report`)
  process.exit()
}

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort(new Error(`ended by ${name}`)))
const minutes = Number(flags.minutes)
const late = new AbortController()
setTimeout(() => late.abort(new Error(`${minutes} minutes are over`)), minutes * 60_000).unref()
const signal = AbortSignal.any([interrupt.signal, late.signal])

const report = openReport(resolve(flags.report))
const problems = []
const startedMs = performance.now()
const seconds = () => Math.round((performance.now() - startedMs) / 1000)

/** Installs and builds the checkout, where that has not been done. */
const prepare = () => {
  // npm writes this file when everything is in its place.
  const isInstalled = existsSync(path('node_modules/.package-lock.json'))
  const isBuilt = existsSync(path('packages/engine/render/dist/index.js'))
  if (isInstalled && isBuilt) return
  const args = isInstalled ? ['run', 'build'] : ['ci', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: path('.'), stdio: 'inherit', timeout: minutes * 60_000 })
  report.fact(`npm ${args[0]}`, status === 0 ? `done after ${seconds()} s` : `failed with ${status}`)
  if (status !== 0) throw new Error('the checkout cannot be installed and built')
}

const WAYS = { linux: ['vulkan', 'gl-egl'], darwin: ['metal'], win32: ['d3d11'] }

/** The browsers to try: the one that is used by itself, and one that is installed beside it. */
const findBrowsers = async () => {
  const { findBrowser } = await import('@vid/browser')
  const first = await findBrowser({ signal })
  const names = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser']
  const other = names.find((name) => existsSync(name) && name !== first.path)
  return [first, ...(other ? [await findBrowser({ path: other, signal })] : [])]
}

/** Tries each way of each browser; returns those that work. */
const tryWays = async (work) => {
  const { createRenders } = await import('./gpu-check/renders.mjs')
  const { reportAttempts } = await import('./gpu-check/attempts.mjs')
  const working = []
  for (const executable of await findBrowsers()) {
    for (const backend of flags.backend ? [flags.backend] : (WAYS[process.platform] ?? ['gl-egl'])) {
      signal.throwIfAborted()
      report.heading(`${executable.kind} ${executable.version} (${executable.source}) by ${backend}`)
      const options = { work, backend, seconds: Number(flags.seconds), scale: flags.scale, signal }
      // The embedded one brings libraries, without which its path alone is not enough.
      const executablePath = executable.source === 'embedded' ? undefined : executable.path
      const renders = createRenders({ ...options, executablePath })
      try {
        const { name, notes, ms } = await renders.plan()
        report.fact('found', name)
        for (const note of notes) report.fact('proof', note)
        report.fact('time of finding, proof and plan', `${ms} ms`)
        working.push({ title: `${executable.kind} by ${backend}`, renders })
      } catch (thrown) {
        signal.throwIfAborted()
        report.fact('refused', `${thrown.code ?? 'error'}: ${thrown.message}`)
        await reportAttempts(report, { executable, backend }, signal)
      }
    }
  }
  return working
}

const compare = async ({ once }, composition) => {
  const { similarity } = await import('./gpu-check/renders.mjs')
  const software = await once(composition, false, 'processor')
  const one = await once(composition, true, 'gpu-1')
  const two = await once(composition, true, 'gpu-2')
  const [slow, fast] = [software.ms, Math.min(one.ms, two.ms)].map((ms) => ms / software.frames)
  const isEqual = one.digest === two.digest
  if (!isEqual) problems.push(`two renders of ${composition.name} differ`)
  const codes = [...one.warnings, ...two.warnings].map(({ code, message }) => `${code}: ${message}`)
  return {
    composition: composition.name,
    frames: software.frames,
    'processor, ms a frame': slow.toFixed(1),
    'GPU, ms a frame': fast.toFixed(1),
    'times as fast': (slow / fast).toFixed(2),
    'least PSNR to the processor, dB': await similarity(software.output, one.output),
    'two runs': isEqual ? 'equal bytes' : 'DIFFERENT BYTES',
    warnings: [...new Set(codes)].join('; ') || 'none',
  }
}

const checkRenders = async ({ title, renders }, compositions) => {
  report.heading(`Renders with ${title}`)
  const rows = []
  for (const composition of compositions) {
    try {
      rows.push(await compare(renders, composition))
    } catch (thrown) {
      signal.throwIfAborted()
      problems.push(`${composition.name} was not rendered with ${title}`)
      report.fact(composition.name, `${thrown.code ?? 'error'}: ${thrown.message}`)
    }
  }
  if (rows.length > 0) report.table(rows)
}

/** A render whose drawing process is killed must give the bytes of one that is left alone. */
const checkLoss = async ({ title, renders }, composition) => {
  if (process.platform !== 'linux') return
  report.heading(`The process that draws is killed, with ${title}`)
  try {
    const whole = await renders.once(composition, true, 'whole', { segmentFrames: 15 })
    const { killed, digest, warnings } = await renders.onceKilled(composition, 'killed', {
      segmentFrames: 15,
    })
    const isEqual = digest === whole.digest
    report.fact('killed processes', killed)
    report.fact('warnings', warnings.map(({ code, message }) => `${code}: ${message}`).join('; ') || 'none')
    report.fact('bytes', isEqual ? 'as without it' : 'DIFFERENT')
    if (!isEqual || killed === 0) problems.push(`a render did not survive, or nothing was killed, with ${title}`)
  } catch (thrown) {
    signal.throwIfAborted()
    problems.push(`a render did not survive with ${title}`)
    report.fact('failed', `${thrown.code ?? 'error'}: ${thrown.message}`)
  }
}

const check = async (work) => {
  report.fact('checkout', say('git', '-C', path('.'), 'log', '-1', '--format=%h %cI'))
  reportMachine(report)
  prepare()
  const { COMPOSITIONS } = await import('./gpu-check/renders.mjs')
  const working = await tryWays(work)
  const [first, ...others] = working
  if (!first) problems.push('no way to a GPU works')
  else await checkRenders(first, COMPOSITIONS)
  if (first) await checkLoss(first, COMPOSITIONS[0])
  for (const other of others) await checkRenders(other, [COMPOSITIONS[0], COMPOSITIONS.at(-1)])
}

const work = mkdtempSync(join(tmpdir(), 'vid-gpu-check-'))
try {
  report.heading('The machine')
  await check(work)
} catch (thrown) {
  problems.push(`not finished: ${(signal.aborted ? signal.reason : thrown).message}`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
report.heading(problems.length === 0 ? 'Passed' : 'Failed')
for (const problem of problems) report.fact('problem', problem)
report.fact('time', `${seconds()} s`)
console.log(`\n${report.file}`)
process.exitCode = problems.length === 0 ? 0 : 1
