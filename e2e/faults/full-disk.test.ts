import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isWhole } from '../../scripts/dev/part-of.ts'
import { makeCache } from '../support/caches.ts'
import { ffmpeg, writeTone } from '../support/sound.ts'
import { here, scratch } from '../support/vid.ts'

const command = fileURLToPath(new URL('../../packages/engine/cli/bin/vid.js', import.meta.url))

/**
 * Runs the command with a folder of `kilobytes`, which stands for SMALL in its words and no other process sees; `left`
 * lists its files afterwards.
 */
const runBeside = async (
  kilobytes: number,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder?: string,
): Promise<{ code: number; stderr: string; left: string }> => {
  const small = folder ?? (await scratch())
  const script = `mount -t tmpfs -o size=${kilobytes}k none "$SMALL" || exit 99
    "$@"; code=$?
    echo "left: $(cd "$SMALL" && find . -mindepth 1 | sort | tr '\\n' ' ')"
    exit $code`
  const values = Object.entries(env).map(([name, value]) => [name, value?.replaceAll('SMALL', small)])
  return new Promise((resolve) =>
    execFile(
      'unshare',
      [
        '--mount',
        '--map-root-user',
        'sh',
        '-c',
        script,
        'sh',
        process.execPath,
        command,
        ...words.map((word) => word.replaceAll('SMALL', small)),
      ],
      { env: { ...process.env, ...Object.fromEntries(values), SMALL: small } },
      (error, stdout, stderr) =>
        resolve({
          code: Number(error?.code ?? 0),
          stderr,
          left: /left: (.*)/.exec(stdout)?.[1]?.trim() ?? 'unknown',
        }),
    ),
  )
}

/** Renders a project in the same way. */
const renderBeside = (
  kilobytes: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { project = here('projects/static-noise'), folder }: { project?: string; folder?: string } = {},
) => runBeside(kilobytes, ['render', project, '-q', 'draft', '-w', '1', ...args], env, folder)

/** Kilobytes that a segment has no room in, that the segments have but not the joined video too, and neither has. */
const sizes = [
  ['mp4', 100, 950, 300],
  ['mov', 300, 6200, 2000],
  ['webm', 100, 1050, 300],
  ['gif', 1000, 5900, 800],
  ['png-sequence', 1000, 7000, 2000],
] as const

/** Every format and case with `npm run lab -- full-disk`; otherwise a muxer and a folder, and the first case of each kind. */
const FEW: ReadonlySet<string> = new Set(['mp4', 'png-sequence'])
const tried = <C>(cases: readonly C[]): readonly C[] => (isWhole ? cases : cases.slice(0, 1))

const failure = (hook: string) => expect.stringMatching(new RegExp(`error VID_\\w+: .*\\n.*hook ${hook}`))

test.each(sizes.filter(([format]) => isWhole || FEW.has(format)))(
  '%s: a disk that fills up leaves nothing, and the step that failed is named',
  async (...row) => {
    const [format, encoding, joining, delivering] = row
    const output = join(await scratch(), 'out', 'video')
    const args = ['--format', format, '-o', output]
    for (const [hook, kilobytes] of [
      ['encode', encoding],
      ['join', joining],
    ] as const) {
      const run = await renderBeside(kilobytes, args, { TMPDIR: 'SMALL' })
      expect(run, hook).toMatchObject({ code: 1, left: '', stderr: failure(hook) })
      expect(existsSync(output)).toBe(false)
    }
    const run = await renderBeside(delivering, ['--format', format, '-o', 'SMALL/video'], {})
    expect(run).toMatchObject({ code: 1, left: '', stderr: failure('deliver') })
    expect(run.stderr).toContain('VID_OUTPUT_UNWRITABLE')
  },
)

/** A project of a still page with one more element. */
const still = async (seconds: number, element: string) => {
  const project = await scratch()
  await writeFile(
    join(project, 'index.html'),
    `<!doctype html><html><body><div id="root" data-composition-id="x" data-width="64" data-height="36" data-duration="${seconds}" data-no-timeline>${element}</div></body></html>`,
  )
  return project
}

test.each(
  tried([
    ['decoded', ''],
    ['stretched', 'data-playback-rate="4"'],
  ] as const),
)('a disk without room for %s sound fails the render: no silent video is made', async (_name, attributes) => {
  const project = await still(6, `<audio src="tone.wav" data-start="0" data-duration="6" ${attributes}></audio>`)
  await writeTone(join(project, 'tone.wav'), 440, 4)
  const output = join(await scratch(), 'video.mp4')
  const run = await renderBeside(900, ['-o', output], { TMPDIR: 'SMALL' }, { project })
  expect(run, run.stderr).toMatchObject({
    code: 1,
    left: '',
    stderr: expect.stringMatching(/No space left|ENOSPC/),
  })
  expect(run.stderr).not.toMatch(/VID_SOUND/)
  expect(existsSync(output)).toBe(false)
})

test.each(
  tried([
    ['extracted frames', ['--video-frame-format', 'png']],
    ['copied packets', []],
  ] as const),
)('a cache folder without room for %s fails the render: no earlier frame is shown', async (_name, args) => {
  const project = await still(2, '<video src="noise.mp4" data-start="0" data-duration="2" muted></video>')
  const noise = ['-f', 'lavfi', '-i', 'color=gray:s=320x180:r=30:d=2,noise=alls=100:allf=t']
  await ffmpeg([...noise, '-c:v', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', join(project, 'noise.mp4')])
  const cache = await makeCache(await scratch())
  const folder = join(cache, 'frames')
  await mkdir(folder, { mode: 0o700 })
  const output = join(await scratch(), 'video.mp4')
  const run = await renderBeside(600, ['-o', output, ...args], { VID_CACHE_DIR: cache }, { project, folder })
  expect(run, run.stderr).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No space left|ENOSPC|VID_MACHINE_LACKS/),
  })
  expect(run.stderr).not.toMatch(/VID_MEDIA_(?:DAMAGED|UNUSABLE)/)
  expect(existsSync(output)).toBe(false)
})

test('an output stream on a full disk is a named error, and leaves the finished file and nothing else', async () => {
  const folder = await scratch()
  const temporary = await scratch()
  const output = join(folder, 'out.gif')
  const project = here('projects/frame-number')
  const line = `exec "${process.execPath}" "${command}" render "${project}" -o "${output}" --json > /dev/full`
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile('sh', ['-c', line], { env: { ...process.env, TMPDIR: temporary } }, (error, _, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    ),
  )
  expect(code, stderr).toBe(1)
  expect(stderr).toContain('error VID_STDOUT_UNWRITABLE: ')
  expect((await readdir(folder)).filter((name) => name !== 'out.gif')).toEqual([])
  expect(await readdir(temporary)).toEqual([])
})

test('a disk without room for the sound of a composition ends a check of it', async () => {
  const project = await still(6, '<audio src="tone.wav" data-start="0" data-duration="6"></audio>')
  await writeTone(join(project, 'tone.wav'), 440, 6)
  const run = await runBeside(900, ['check', project], { TMPDIR: 'SMALL' })
  expect(run, run.stderr).toMatchObject({ code: 1, left: '' })
  expect(run.stderr).toMatch(/^error VID_\w+: .*(?:No space left|ENOSPC)/m)
})

test.each(
  tried([
    ['check', '--sheet', 'SMALL/sheet.png'],
    ['check', '--sarif', 'SMALL/check.sarif'],
    ['sheet', '--frames', '2', '--output', 'SMALL/sheet.png'],
  ]),
)('a full disk is named as the place of a result, of which nothing is left: vid %s %s', async (name, ...flags) => {
  const project = await still(0.5, '<p style="color: #eee">Pale words</p>')
  const run = await runBeside(4, [name, project, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 1, left: '' })
  expect(run.stderr).toMatch(/^error VID_OUTPUT_UNWRITABLE: .*(?:ENOSPC|no space)/m)
})

test('a disk that fills up between two stills leaves the whole ones, and names the other', async () => {
  const project = await still(0.5, '<p style="color: #eee">Pale words</p>')
  const run = await runBeside(8, ['snapshot', project, '--frames', '3', '-o', 'SMALL/stills'])
  expect(run, run.stderr).toMatchObject({
    code: 1,
    left: './stills ./stills/snapshot_1.png ./stills/snapshot_2.png',
    stderr: expect.stringMatching(/^error VID_SNAPSHOT_UNWRITABLE: .*snapshot_3\.png: .*ENOSPC/m),
  })
})

test.each(tried([8, 16, 24]))(
  'a disk of %i kB without room for a folder of hls and its storyboard has no part of it',
  async (kilobytes) => {
    const project = await still(0.5, '<p style="color: #eee">Pale words</p>')
    const run = await renderBeside(kilobytes, ['--format', 'hls', '-o', 'SMALL/film'], {}, { project })
    expect(run, run.stderr).toMatchObject({
      code: 1,
      left: '',
      stderr: expect.stringMatching(/^error VID_OUTPUT_UNWRITABLE: .*ENOSPC/m),
    })
  },
)
