import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readEbur128 } from '../../packages/engine/ffmpeg/src/fixtures/ebur128.ts'
import { longTest } from '../../scripts/dev/part-of.ts'
import { ffmpeg, writeTone } from '../support/sound.ts'
import { here, printed, scratch, start, vidInProcess } from '../support/vid.ts'

const execute = promisify(execFile)
const env = { VID_CACHE: 'on' } as const

/** Tones in windows of three and a half seconds, one of them with peaks that a gain puts above full scale. */
const makeProject = async (config: string): Promise<string> => {
  const folder = join(await scratch(), 'film')
  await cp(here('projects/tone-windows'), folder, { recursive: true })
  await writeTone(join(folder, 'low.wav'), 300, 1)
  await writeTone(join(folder, 'mono.wav'), 500, 1, 1)
  await writeTone(join(folder, 'short.wav'), 1000, 0.25)
  const peaks = `aevalsrc='if(lt(mod(t,0.1),0.002),0.9,0.02*sin(2*PI*800*t))':s=48000:d=1`
  await ffmpeg(['-f', 'lavfi', '-i', peaks, '-ac', '2', '-c:a', 'pcm_s16le', join(folder, 'high.wav')])
  await writeFile(join(folder, 'vid.config.mjs'), config)
  return folder
}

longTest('a loudness is the same file from one worker, three, kept segments and another process', async () => {
  const folder = await makeProject('export default { render: { fps: 12, segmentFrames: 14, loudness: -12 } }')
  const render = async (name: string, flags: readonly string[]) => {
    const file = join(folder, '..', name)
    const run = await vidInProcess(['render', folder, '-o', file, ...flags], { env })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    return { bytes: await readFile(file), file, log: run.stderr }
  }
  const one = await render('one.mp4', ['-w', '1', '--no-cache'])
  const three = await render('three.mp4', ['-w', '3'])
  // Another loudness keeps the pictures; the first one is then made of kept segments.
  const quiet = await render('quiet.mp4', ['--loudness', '-30'])
  const again = await render('again.mp4', ['-w', '2'])
  expect(quiet.bytes.equals(one.bytes)).toBe(false)
  const portable = (...args: string[]) => execute(process.execPath, [here('support/portable.mjs'), ...args])
  const plan = join(folder, '../plan.json')
  await portable('plan', folder, plan)
  const { segments, loudness } = JSON.parse(await readFile(plan, 'utf8'))
  expect(loudness).toMatchObject({ target: -12, gain: expect.any(Number) })
  const parts = [...segments.keys()].map((index: number) => join(folder, `../part-${index}`))
  for (const [index, part] of parts.entries()) await portable('segment', folder, plan, `${index}`, part)
  const joined = join(folder, '../joined.mp4')
  await portable('join', folder, plan, joined, ...parts)
  for (const { bytes } of [three, again, { bytes: await readFile(joined) }]) expect(bytes.equals(one.bytes)).toBe(true)
  const levels = await readEbur128(one.file)
  expect(Math.abs(levels.integrated + 12)).toBeLessThanOrEqual(0.2 + 1e-9)
  expect(levels.truePeak).toBeLessThanOrEqual(-1)
})

test('a render with a loudness that is killed in the middle and run again is the same file', async () => {
  const config = 'export default { render: { fps: 12, segmentFrames: 6, loudness: -12 } }'
  const [undisturbed, killed] = [await makeProject(config), await makeProject(config)]
  const wordsFor = (folder: string) => ['render', folder, '-o', join(folder, '../film.mp4'), '-w', '1', '--json']
  const reused = (stdout: string) => stdout.split('\n').filter((line) => line.includes('"reused":"the same inputs"'))
  const whole = await vidInProcess(wordsFor(undisturbed), { env })
  expect(whole, whole.stderr).toMatchObject({ code: 0 })
  expect(reused(whole.stdout)).toEqual([])
  const first = start(wordsFor(killed), { env })
  await printed(first, /(?:"segment-complete".*\n[\s\S]*){3}/)
  first.child.kill('SIGKILL')
  expect(await first.done).toMatchObject({ code: null })
  const again = await vidInProcess(wordsFor(killed), { env })
  expect(again, again.stderr).toMatchObject({ code: 0 })
  expect(reused(again.stdout).length).toBeGreaterThanOrEqual(3)
  const [one, other] = await Promise.all([undisturbed, killed].map((folder) => readFile(join(folder, '../film.mp4'))))
  expect(one && other?.equals(one)).toBe(true)
})

test('the loudness of a preset is that of its plans, unless a flag turns it off', async () => {
  const folder = await makeProject('export default {}')
  const loudnessOf = async (...flags: string[]) => {
    const { code, stdout, stderr } = await vidInProcess([
      'inspect',
      folder,
      '--json',
      '--preset',
      'social-wide',
      ...flags,
    ])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').plan.loudness?.target
  }
  expect(await loudnessOf()).toBe(-14)
  expect(await loudnessOf('--loudness', 'off')).toBeUndefined()
})
