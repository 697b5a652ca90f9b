import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProducerClient } from '@vid/client'
import { readManifest } from '@vid/project'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { descendants, here, scratch, start, until, vid } from './support/vid.ts'

const page = (frames: number, script = '') => `<!doctype html><style>body { margin: 0 }</style>
<div data-composition-id="root" data-width="64" data-height="48" data-duration="${frames / 30}" data-no-timeline
 data-composition-variables='[{"id":"colour","type":"color","label":"Colour","default":"#c82828"}]'
 style="width:64px;height:48px;background:var(--colour)"></div><script>${script}</script>`

const config = `import producer from '@vid/target-producer'
export default { targets: { farm: producer({ url: process.env.FARM_URL ?? 'http://127.0.0.1:1' }) } }`

/** A folder of one who renders: a config with the target, and a composition. */
const workplace = async (frames = 4, script = '') => {
  const folder = await scratch()
  await symlink(here('../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'vid.config.mjs'), config)
  await mkdir(join(folder, 'intro'))
  await writeFile(join(folder, 'intro/index.html'), page(frames, script))
  return folder
}

/** Starts a render server of its own process. */
const serve = async (cwd: string, ...flags: readonly string[]) => {
  const { child, text, done } = start(['producer', '--port', '0', '--json', ...flags], { cwd })
  const url = await until(async () => {
    if (child.exitCode !== null) throw new Error(text.stderr)
    const line = text.stdout.split('\n').find((each) => each.includes('producer-start'))
    return line === undefined ? undefined : (JSON.parse(line) as { url: string }).url
  })
  return { child, url, text, done, port: Number(new URL(url).port) }
}

const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Digests of a file, or of every file of a folder. */
const digestsOf = async (path: string): Promise<string[]> => {
  if (!(await stat(path)).isDirectory()) return [await sha256(path)]
  return Promise.all((await readdir(path)).sort().map((name) => sha256(join(path, name))))
}

test('x', async () => {
  const work = await workplace()
  const root = await scratch()
  const server = await serve(root)
  const env = { FARM_URL: server.url }
  const formats = ['--format', 'mp4,png-sequence,webm']
  const here = await vid(['render', 'intro', ...formats, '-o', 'here/video'], { cwd: work, env })
  expect(here.code, here.stderr).toBe(0)
  const there = await vid(['render', 'intro', '--target', 'farm', ...formats, '-o', 'there/video'], {
    cwd: work,
    env,
  })
  console.log(there.stderr, there.stdout, server.text.stderr)
  expect(there.code, there.stderr).toBe(0)
  for (const name of ['video.mp4', 'video.webm', 'video'])
    expect(await digestsOf(join(work, 'there', name)), name).toEqual(
      await digestsOf(join(work, 'here', name)),
    )
})
