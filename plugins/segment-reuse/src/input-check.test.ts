import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@vid/ffmpeg'
import { COMPOSITION_SOURCE, FFMPEG_SOURCE } from '@vid/kernel'
import { digestOf } from '@vid/system'
import { expect, onTestFinished, test } from 'vitest'
import { createInputCheck } from './input-check.ts'

const { signal } = new AbortController()

const makeProject = async () => {
  const projectDir = await mkdtemp(join(tmpdir(), 'vid-inputs-'))
  onTestFinished(() => rm(projectDir, { recursive: true, force: true }))
  return projectDir
}

const serve = async (text: string) => {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    response.writeHead(request.url?.endsWith('/gone.svg') ? 404 : 200, { 'content-type': 'image/svg+xml' })
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  // Fetched files are cached by address, and ports come again.
  return { host, folder: `http://${host}/${randomUUID()}`, requests: () => requests }
}

test('files are compared by content, and a missing one must still be missing', async () => {
  const projectDir = await makeProject()
  await mkdir(join(projectDir, 'a folder'))
  await writeFile(join(projectDir, 'a folder/mark.svg'), 'red')
  const inputs = [
    { source: 'a folder/mark.svg', digest: digestOf('red') },
    { source: 'late.svg', digest: null },
  ]
  const isSame = () => createInputCheck({ projectDir, composition: '', privateHosts: [] })(inputs, signal)
  expect(await isSame()).toBe(true)
  await writeFile(join(projectDir, 'late.svg'), 'here')
  expect(await isSame()).toBe(false)
  await rm(join(projectDir, 'late.svg'))
  await writeFile(join(projectDir, 'a folder/mark.svg'), 'tan')
  expect(await isSame()).toBe(false)
})

test('the composition and the build of ffmpeg are inputs too', async () => {
  const isSame = createInputCheck({
    projectDir: await makeProject(),
    composition: digestOf('page'),
    privateHosts: [],
  })
  const { build } = await findFfmpeg({ signal })
  const page = { source: COMPOSITION_SOURCE, digest: digestOf('page') }
  expect(await isSame([page, { source: FFMPEG_SOURCE, digest: digestOf(build) }], signal)).toBe(true)
  expect(await isSame([{ ...page, digest: digestOf('other page') }], signal)).toBe(false)
  expect(await isSame([{ source: FFMPEG_SOURCE, digest: digestOf('other build') }], signal)).toBe(false)
})

test('a remote file is fetched once, and one that failed before is not fetched again', async () => {
  const { host, folder, requests } = await serve('red')
  const projectDir = await makeProject()
  const isSame = createInputCheck({ projectDir, composition: '', privateHosts: [host] })
  const input = { source: `${folder}/mark.svg`, digest: digestOf('red') }
  expect(await isSame([input, input], signal)).toBe(true)
  expect(await isSame([{ ...input, digest: digestOf('blue') }], signal)).toBe(false)
  expect(requests()).toBe(1)
  expect(await isSame([{ source: `${folder}/gone.svg`, digest: null }], signal)).toBe(false)
  expect(requests()).toBe(1)
  const strict = createInputCheck({ projectDir, composition: '', privateHosts: [] })
  expect(await strict([{ source: `${folder}/other.svg`, digest: digestOf('red') }], signal)).toBe(false)
})
