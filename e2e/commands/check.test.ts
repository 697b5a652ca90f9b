import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import { longTest } from '../../scripts/dev/part-of.ts'
import { writeTone } from '../support/sound.ts'
import { descendants, printed, scratch, start, until, vid } from '../support/vid.ts'

/** Two scenes of a second, each with a text that moves in, and a tone. */
const pageOf = (second: string) => `<!doctype html><meta charset="utf-8"><style>
#root { background: #123; color: #fff; font: 40px Inter } section { position: absolute; inset: 0 }
p { position: absolute; left: 60px; top: 100px; animation: in 0.3s both } @keyframes in { from { opacity: 0 } }</style>
<div id="root" data-composition-id="film" data-width="640" data-height="360" data-duration="2">
<section data-start="0" data-duration="1"><p id="first">Good morning</p></section>
<section data-start="1" data-duration="1"><p id="second" style="${second}">Good night</p></section>
<audio src="tone.wav" data-start="0" data-duration="2"></audio></div>`

/** A project, and a folder for temporary files beside it. */
const makeProject = async () => {
  const folder = await scratch()
  const project = join(folder, 'project')
  const temporary = join(folder, 'temporary')
  await mkdir(project)
  await mkdir(temporary)
  await writeFile(join(project, 'index.html'), pageOf(''))
  await writeTone(join(project, 'tone.wav'), 440, 2)
  return { project, temporary, env: { TMPDIR: temporary, VID_DEBUG: 'cdp' } }
}

/** Starts a check, and waits until it goes through the frames of the composition. */
const startChecking = async (project: string, env: NodeJS.ProcessEnv) => {
  const run = start(['check', project, '--json'], { env })
  await printed(run, /__vidCheck\.step\(/)
  return run
}

/** What a check has left of temporary files; a browser may still write while it ends. */
const expectNothingLeft = async (temporary: string) => {
  await until(async () => (await readdir(temporary)).length === 0 || undefined)
}

longTest(
  'a check whose browser is killed ends with a coded error and leaves nothing',
  async () => {
    const { project, temporary, env } = await makeProject()
    const run = await startChecking(project, env)
    const isBrowser = /^(?!.*--type=).*headless_shell/
    const children = await descendants(run.child.pid)
    const browsers = children.filter(({ command }) => isBrowser.test(command))
    expect(browsers.length).toBeGreaterThan(0)
    for (const { pid } of browsers) process.kill(pid, 'SIGKILL')
    const { code, stdout } = await run.done
    expect(code).toBe(1)
    expect(stdout).toMatch(/"code":"VID_(?:BROWSER|PAGE)_CRASHED"/)
    await expectNothingLeft(temporary)
  },
  180_000,
)

test('a check that is interrupted ends at once, with its processes and its temporary files', async () => {
  const { project, temporary, env } = await makeProject()
  const run = await startChecking(project, env)
  const children = await descendants(run.child.pid)
  expect(children.length).toBeGreaterThan(0)
  run.child.kill('SIGINT')
  expect((await run.done).code).toBe(130)
  const isRunning = ({ pid }: { readonly pid: number }) =>
    readFile(`/proc/${pid}/stat`, 'utf8').then(
      (stat) => !/\) Z /.test(stat),
      () => false,
    )
  await until(async () => !(await Promise.all(children.map(isRunning))).includes(true) || undefined)
  await expectNothingLeft(temporary)
}, 180_000)

test('a check fails when the system kills what decodes its sound', async () => {
  const { project, temporary, env } = await makeProject()
  const { ffmpeg, ffprobe } = await findFfmpeg()
  const program = join(project, '..', 'program')
  const script = `#!/bin/sh\ncase " $* " in *" f32le "*) kill -9 $$;; esac\nexec '${ffmpeg}' "$@"\n`
  await writeFile(program, script, { mode: 0o755 })
  const { code, stderr } = await vid(['check', project], {
    env: { ...env, VID_DEBUG: '', VID_FFMPEG_PATH: program, VID_FFPROBE_PATH: ffprobe, VID_SANDBOX: 'off' },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/error VID_FFMPEG_FAILED: .* was killed by SIGKILL/)
  await expectNothingLeft(temporary)
}, 180_000)

interface Answer {
  readonly type: string
  readonly findings: readonly { readonly rule: string; readonly where: { readonly element: string | null } }[]
}

const answersIn = (stdout: string): readonly Answer[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Answer)
    .filter(({ type }) => type === 'check')

longTest(
  'a check that watches answers each save as a new check does',
  async () => {
    const { project, env } = await makeProject()
    const run = start(['check', project, '--watch', '--json'], { env: { ...env, VID_DEBUG: '' } })
    const answer = (count: number) => until(async () => answersIn(run.text.stdout)[count - 1], 180_000)
    expect((await answer(1)).findings.filter(({ rule }) => rule === 'contrast')).toEqual([])
    await writeFile(join(project, 'index.html'), pageOf('color: #234'))
    const edited = await answer(2)
    const whole = await vid(['check', project, '--json'], { env: { ...env, VID_DEBUG: '' } })
    expect(edited.findings).toEqual(answersIn(whole.stdout)[0]?.findings)
    expect(edited.findings.map(({ rule, where }) => [rule, where.element])).toContainEqual(['contrast', '#second'])
    await writeFile(join(project, 'index.html'), pageOf(''))
    expect((await answer(3)).findings.filter(({ rule }) => rule === 'contrast')).toEqual([])
    run.child.kill('SIGINT')
    await run.done
  },
  400_000,
)
