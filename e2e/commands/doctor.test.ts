import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventOf } from '@vid/protocol'
import { expect, test } from 'vitest'
import { eventProblems } from '../../scripts/dev/event-problems.ts'
import { here, scratch, vid } from '../support/vid.ts'

/** Runs the command as in a folder of a user, with folders for temporary files and caches of its own. */
const examine = async (mounts: string) => {
  const folder = await scratch()
  const folders = { TMPDIR: join(folder, 'tmp'), CWD: join(folder, 'project') }
  for (const path of Object.values(folders)) await mkdir(path)
  await writeFile(join(folders.CWD, 'index.html'), '<!doctype html>')
  const through = ['unshare', '--mount', '--map-root-user', 'sh', '-ec', `${mounts}\nexec "$@"`, 'sh']
  const { code, stdout, stderr } = await vid(['doctor', '--json'], {
    through,
    cwd: folders.CWD,
    env: folders,
  })
  const event = JSON.parse(stdout) as EventOf<'doctor'>
  expect(eventProblems(event)).toEqual([])
  expect(stdout + stderr).not.toMatch(/^\s+at /m)
  const left = [...(await readdir(folders.TMPDIR)), ...(await readdir(folders.CWD))]
  expect(left.filter((name) => name !== 'index.html' && !name.startsWith('node-compile-cache'))).toEqual([])
  const failed = event.checks.filter(({ ok, detail }) => !ok && !detail.startsWith('not tested'))
  const named = (required: boolean) => failed.filter((check) => check.required === required)
  return { code, event, failed: named(true), warned: named(false) }
}

const modules = here('../node_modules')

/** Leaves only programs on PATH that come with every system, whatever else this machine has. */
const plainPath = `mkdir "$CWD/../programs"
  ln -s /usr/bin/* "$CWD/../programs"
  (cd "$CWD/../programs" && rm -f ff* chrom* google-chrome* microsoft-edge* firefox*)
  export PATH="$CWD/../programs"`

test('on a machine that works, a frame of each way and a second of each format are made', async () => {
  const { code, event, failed } = await examine('true')
  expect(failed).toEqual([])
  expect([code, event.ok]).toEqual([0, true])
  const works = event.checks.filter(({ ok }) => ok).map(({ name }) => name)
  for (const lane of ['auto', 'raster', 'begin-frame', 'screenshot']) expect(works).toContain(`capture ${lane}`)
  for (const format of ['mp4', 'mov', 'webm', 'gif', 'png-sequence']) expect(works).toContain(`encode ${format}`)
})

test('each thing that is broken is named, with what fails without it and what to do', async () => {
  const { code, failed, warned } = await examine(
    `mount -t tmpfs none "${modules}/@ffmpeg-installer"
    mount -t tmpfs none "${modules}/@expo-google-fonts"
    mount -t tmpfs -o size=1m none /dev/shm
    mount -t tmpfs -o size=64k none "$TMPDIR"
    ${plainPath}`,
  )
  expect(code).toBe(1)
  expect(failed.map(({ name }) => name)).toEqual(['scratch folder', 'fonts', 'ffmpeg'])
  expect(warned).toContainEqual(
    expect.objectContaining({ name: 'shared memory', hint: expect.stringContaining('--shm-size') }),
  )
  for (const { hint, missing } of failed) expect([hint, missing]).not.toContain('')
})

test('a machine without a browser is told how to get one', async () => {
  const { code, failed } = await examine(
    `mount -t tmpfs none "${here('../packages/engine/chromium-linux-x64')}"
    ${plainPath}`,
  )
  expect(code).toBe(1)
  expect(failed).toMatchObject([{ name: 'browser', command: 'vid browser install' }])
})
