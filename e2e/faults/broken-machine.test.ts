import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here, scratch, vid } from '../support/vid.ts'

const project = here('projects/postcard')
const isRoot = process.getuid?.() === 0

/** Starts a command with a separate mount, with some options, for a folder. */
const mounted = (folder: string, options: string) => [
  'unshare',
  '--mount',
  'sh',
  '-ec',
  `mount -t tmpfs -o ${options} none "${folder}"; exec "$@"`,
  'sh',
]

/** A picture of the project, taken by a command that is started in some way. */
const takePicture = async (options: Parameters<typeof vid>[1] = {}) => {
  const folder = await scratch()
  const run = await vid(['snapshot', project, '--at', '0', '-o', folder], options)
  expect(run.code, run.stderr).toBe(0)
  const [name = ''] = await readdir(folder)
  return readFile(join(folder, name))
}

test('a folder for temporary files that is missing or a file is named, with the variable that sets it', async () => {
  const folder = await scratch()
  await writeFile(join(folder, 'file'), '')
  for (const name of ['missing', 'file']) {
    const TMPDIR = join(folder, name)
    const { code, stderr } = await vid(['snapshot', project, '--at', '0', '-o', folder], { env: { TMPDIR } })
    expect(code).toBe(1)
    expect(stderr).toContain(`VID_TEMP_FOLDER: The folder for temporary files, ${TMPDIR}`)
    expect(stderr).toContain('Set TMPDIR')
  }
})

test.runIf(isRoot)('a folder for temporary files that is read-only is named', async () => {
  const TMPDIR = await scratch()
  const through = mounted(TMPDIR, 'ro')
  const { code, stderr } = await vid(['snapshot', project, '--at', '0'], { env: { TMPDIR }, through })
  expect(code).toBe(1)
  expect(stderr).toMatch(/VID_TEMP_FOLDER.*read-only/)
})

test.runIf(isRoot)('shared memory that is read-only or tiny changes no pixel', async () => {
  const usual = await takePicture()
  for (const options of ['ro', 'size=1m'])
    expect((await takePicture({ through: mounted('/dev/shm', options) })).equals(usual)).toBe(true)
})

test('an empty home and cache folder change no pixel, and leave nothing in the current folder', async () => {
  const usual = await takePicture()
  const cwd = await scratch()
  for (const env of [{ HOME: '', XDG_CACHE_HOME: '' }, { HOME: 'relative' }, { HOME: undefined }])
    expect((await takePicture({ cwd, env })).equals(usual)).toBe(true)
  expect(await readdir(cwd)).toEqual([])
})
