import { once } from 'node:events'
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createHooks } from '@vid/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../fixtures/fresh-folder.ts'
import { sourceReader } from '../index.ts'

const { signal } = new AbortController()

/** What one render's hook answers for sources of a project. */
const finderOf = (projectDir: string, options: Parameters<typeof sourceReader>[0] = {}) => {
  const hooks = createHooks()
  const reader = sourceReader(options)
  reader.setup(hooks, reader)
  return (src: string) => hooks.source.promise({ src, projectDir, signal, warn: () => {} })
}

const makeProject = async () => {
  const folder = await freshFolder()
  onTestFinished(() => folder[Symbol.asyncDispose]())
  const before = process.env.VID_CACHE_DIR
  process.env.VID_CACHE_DIR = join(folder.path, 'cache')
  onTestFinished(() => {
    if (before === undefined) delete process.env.VID_CACHE_DIR
    else process.env.VID_CACHE_DIR = before
  })
  const project = join(await realpath(folder.path), 'project')
  await mkdir(join(project, '.hidden'), { recursive: true })
  return project
}

const serve = async () => {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.writeHead(url === '/gone.wav' ? 404 : 200).end(`content of ${url}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('files of the project are found by their real path, and nothing outside of it or hidden in it', async () => {
  const project = await makeProject()
  for (const path of ['clip.mp4', '.hidden/clip.mp4', '../secret.mp4']) await writeFile(join(project, path), '')
  await symlink(join(project, 'clip.mp4'), join(project, 'link.mp4'))
  await symlink(join(project, '../secret.mp4'), join(project, 'out.mp4'))
  await symlink(join(project, '.hidden'), join(project, 'shown'))
  const find = finderOf(project)
  expect(await find('clip.mp4')).toBe(join(project, 'clip.mp4'))
  expect(await find('link.mp4')).toBe(join(project, 'clip.mp4'))
  for (const src of ['gone.mp4', 'out.mp4', '../secret.mp4', '.hidden/clip.mp4', 'shown/clip.mp4', '.'])
    expect(await find(src), src).toBeUndefined()
})

test('an address is fetched once into the cache folder, and a failure names it', async () => {
  const project = await makeProject()
  const { host, requests } = await serve()
  const find = finderOf(project, { privateHosts: [host] })
  const files = await Promise.all([find(`http://${host}/a.wav`), find(`http://${host}/a.wav`)])
  expect(files[0]).toBe(files[1])
  expect(await readFile(files[0] ?? '', 'utf8')).toBe('content of /a.wav')
  await expect(find(`http://${host}/gone.wav`)).rejects.toMatchObject({
    code: 'VID_REMOTE_FAILED',
    message: expect.stringContaining(`http://${host}/gone.wav`),
  })
  expect(requests).toEqual(['/a.wav', '/gone.wav'])
})

test('a host at a private address is contacted only when the options allow it', async () => {
  const { host, requests } = await serve()
  const find = finderOf(await makeProject())
  await expect(find(`http://${host}/a.wav`)).rejects.toMatchObject({ code: 'VID_REMOTE_FAILED' })
  expect(requests).toEqual([])
})

test('addresses of other schemes are left to other plugins', async () => {
  const find = finderOf(await makeProject())
  expect(await find('s3://videos/a.mp4')).toBeUndefined()
  expect(await find('file:///etc/hostname')).toBeUndefined()
})
