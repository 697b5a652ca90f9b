import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CloudScript, startCloudServer } from '../../packages/services/client/src/fixtures/cloud-server.ts'
import { here, scratch, start, until, vid } from '../support/vid.ts'

const video = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), Buffer.alloc(50_000, 7)])

const page = (size: string) => `<!doctype html>
<html data-composition-variables='[{"id":"title","type":"string","label":"Title","default":"hi"}]'>
<body><div data-composition-id="main" ${size} data-duration="1"></div></body></html>`

const config = `import cloud from '@vid/target-cloud'
export default { targets: { cloud: cloud({ pollSeconds: 0.05 }), scaled: cloud({ pollSeconds: 0.05, resolution: '1080p' }) } }`

const workplace = async (script: CloudScript = {}, size = 'data-width="1920" data-height="1080"') => {
  const cwd = await scratch()
  await symlink(here('../node_modules'), join(cwd, 'node_modules'))
  await mkdir(join(cwd, 'intro'))
  await writeFile(join(cwd, 'vid.config.mjs'), config)
  await writeFile(join(cwd, 'intro/index.html'), page(size))
  const server = await startCloudServer({ video, ...script })
  const env = { HOME: cwd, HOST_API_URL: server.url, HOST_API_KEY: 'key-of-ann', VID_API_KEY: '' }
  return { cwd, env, server, run: (...words: string[]) => vid(['render', ...words], { cwd, env }) }
}

test('--target cloud renders on the API, with frames reported and the video delivered here', async () => {
  const half = { status: 'rendering' as const, progress: 0.5, frames_rendered: 30, total_frames: 60 }
  const { cwd, server, run } = await workplace({ records: [{}, half, { status: 'completed' }] })
  const { code, stdout, stderr } = await run('intro', '--target', 'cloud', '-q', 'draft', '-o', 'out.mp4')
  expect([code, stdout], stderr).toEqual([0, 'out.mp4\n'])
  expect((await readFile(join(cwd, 'out.mp4'))).equals(video)).toBe(true)
  expect(stderr).toMatch(/30\/60 frames[\s\S]*done: 60 frames, 2 s of video/)
  expect(server.renders.get('render_1')?.body).toMatchObject({ quality: 'draft', resolution: '1080p' })
})

test('a batch sends the project once, and makes a render of each row', async () => {
  const { cwd, server, run } = await workplace()
  await writeFile(join(cwd, 'rows.json'), JSON.stringify([{ title: 'One' }, { title: 'Two' }]))
  const { code, stderr } = await run('intro', '--target', 'cloud', '--batch', 'rows.json', '-o', 'out/{title}.mp4')
  expect(code, stderr).toBe(0)
  expect((await readdir(join(cwd, 'out'))).sort()).toEqual(['One.mp4', 'Two.mp4', 'manifest.json'])
  const titles = [...server.renders.values()].map(({ body }) => (body.variables as { title: string }).title)
  expect(titles).toEqual(['One', 'Two'])
  expect(server.lines('POST /v3/assets')).toHaveLength(1)
})

test('what the API cannot do is refused before anything is sent', async () => {
  const { cwd, server, run } = await workplace({}, 'data-width="1280" data-height="720"')
  const cases = [
    [['--format', 'gif'], 'VID_TARGET_REFUSES'],
    [['--crf', '20'], 'VID_TARGET_REFUSES'],
    [['--format', 'webm,mov'], 'VID_TARGET_REFUSES'],
    [[], 'VID_API_SIZE'],
    [['--resolution', '640x360'], 'VID_API_SIZE'],
  ] as const
  for (const [flags, named] of cases) {
    const { code, stderr } = await run('intro', '--target', 'cloud', ...flags)
    expect([flags, code, stderr.includes(named)], stderr).toEqual([flags, 2, true])
  }
  expect([server.requests, (await readdir(cwd)).includes('renders')]).toEqual([[], false])
  expect((await run('intro', '--target', 'scaled')).code).toBe(0)
})

test('Ctrl-C deletes the render at the API', async () => {
  const { cwd, env, server } = await workplace({ records: [{ status: 'rendering' }] })
  const { child, done } = start(['render', 'intro', '--target', 'cloud'], { cwd, env })
  await until(async () => server.lines('GET /v3/vid/renders/render_1')[0])
  child.kill('SIGINT')
  expect((await done).code).toBe(130)
  expect(server.lines('DELETE')).toEqual(['DELETE /v3/vid/renders/render_1'])
  expect(await readdir(cwd)).not.toContain('renders')
})
