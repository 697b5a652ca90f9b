import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type CommandRun, shortPath, silentProgress } from '@vid/command'
import { loadProjectConfig, openContext } from '@vid/render'
import { removeAbandoned, scratchName } from '@vid/system'
import { plainConfig } from '../../plain-config.ts'
import type { Bench } from './bench.ts'
import { type Check, type Mended, type Trial, tryOut } from './check.ts'
import { checkText } from './check-text.ts'
import { browserTrial, captureTrials, gpuTrial, rasterTrial } from './checks/capture-checks.ts'
import { codecTrial, encoderTrials, ffmpegTrial } from './checks/encoder-checks.ts'
import { folderTrials } from './checks/folder-checks.ts'
import { fontTrial } from './checks/font-check.ts'
import { machineTrials } from './checks/machine-checks.ts'
import { pluginTrials } from './checks/plugin-checks.ts'
import type { doctorOptions } from './options.ts'
import { TONE_FILE, toneBytes } from './painter.ts'
import { TRIAL_PAGE } from './trial-page.ts'

const PREFIX = 'vid-doctor-'

/** A folder with the test composition; if it cannot be created, the check of the scratch folder reports the reason. */
const makeFolder = async (): Promise<string> => {
  await removeAbandoned(tmpdir(), PREFIX)
  const folder = join(resolve(tmpdir()), scratchName(PREFIX))
  try {
    await mkdir(folder, { mode: 0o700 })
    await writeFile(join(folder, 'index.html'), TRIAL_PAGE)
    await writeFile(join(folder, TONE_FILE), toneBytes())
  } catch {
    await rm(folder, { recursive: true, force: true })
  }
  return folder
}

/** The check of a project's config; if it cannot be loaded, the other checks run without one. */
const configTrial = (
  projectDir: string,
  flags: Parameters<typeof loadProjectConfig>[1],
  open: Bench['open'],
  onConfig: (config: Bench['config']) => void,
): Trial => ({
  name: 'config',
  required: true,
  missing: 'every render of this folder',
  async look() {
    if (!(await stat(projectDir).catch(() => undefined))?.isDirectory())
      return {
        failed: true,
        detail: `the folder ${projectDir} does not exist`,
        hint: 'Name the folder of a composition.',
      }
    const config = await loadProjectConfig(projectDir, flags, open)
    onConfig(config)
    const place = config.file === undefined ? 'no config file' : shortPath(config.file, open.cwd)
    return { detail: `${place}; preset ${config.preset}, target ${config.target ?? 'local'}` }
  },
})

/** `vid doctor`: checks everything that renders need. */
export const runDoctor = async (run: CommandRun<typeof doctorOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, report, paint, spelling, unguarded } = run
  const { fix = false, quiet = false, preset, target } = run.options
  const progress = run.progress.isLive ? run.progress : silentProgress
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const checks: Check[] = []
  const mended: Mended[] = []
  const onMended = (repair: Mended) => void mended.push(repair)
  const tryAll = async (trials: readonly Trial[]) => {
    for (const trial of trials) {
      progress.show(`checking ${trial.name}`)
      const rules = { before: checks, signal, ...(fix && { onMended }) }
      const check = await tryOut(trial, rules).finally(progress.clear)
      checks.push(check)
      if (!quiet || !check.ok)
        report.result(
          checkText(
            check,
            mended.find(({ name }) => name === check.name),
            paint,
          ),
        )
    }
  }
  const projectDir = resolve(cwd, run.arguments.dir)
  await tryAll([...machineTrials, ...folderTrials(cwd, env)])
  const folder = await makeFolder()
  try {
    let config: Bench['config'] | undefined
    const flags = { ...(preset !== undefined && { preset }), ...(target !== undefined && { target }) }
    await tryAll([
      configTrial(projectDir, flags, open, (loaded) => {
        config = loaded
      }),
    ])
    const bench: Bench = { config: config ?? (await plainConfig(open)), open, folder }
    await tryAll([fontTrial, browserTrial(bench), rasterTrial(bench)])
    await tryAll([...captureTrials(bench), gpuTrial(bench)])
    await tryAll([ffmpegTrial(env), codecTrial(bench, env), ...encoderTrials(bench)])
    if (config) await tryAll(await pluginTrials(bench, projectDir))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  return { ok: checks.every((check) => check.ok || !check.required), checks, mended }
}
