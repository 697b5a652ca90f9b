import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toneFile } from '@vid/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { makeProject, openPreview, SQUARE, send } from '../fixtures/open-preview.ts'

/** A project with a config that imports packages of vid. */
const projectWith = async (config: string, files: Readonly<Record<string, string>> = {}) => {
  const folder = await makeProject({ 'index.html': SQUARE, 'vid.config.mjs': config, ...files })
  await mkdir(join(folder, 'node_modules'))
  const packages = fileURLToPath(new URL('../../../../../node_modules/@vid', import.meta.url))
  await symlink(packages, join(folder, 'node_modules/@vid'))
  return folder
}

const FINDER = `import { definePlugin } from '@vid/kernel'
export default { plugins: [definePlugin({ name: 'finder', setup(hooks) {
  hooks.source.tap('finder', ({ src, projectDir }) => src.startsWith('clip:') ? projectDir + '/' + src.slice(5) : undefined)
} })()] }`

test('a source that a plugin of the config finds is found by the preview, other schemes are not', async () => {
  const folder = await projectWith(FINDER)
  await toneFile(folder, { seconds: 2, onset: 1 })
  const { preview, ask } = await openPreview(folder)
  const facts = async (src: string) =>
    (await send(`${preview.origin}/.vid/30/facts?src=${encodeURIComponent(src)}`)).text
  expect(JSON.parse(await facts('clip:tone.wav'))).toMatchObject({ duration: 2, hasAudio: true })
  expect(JSON.parse(await facts('tone.wav'))).toMatchObject({ duration: 2 })
  expect(await facts('tape:tone.wav')).toBe('null')
  const wave = JSON.parse((await ask('/api/waveform?count=4&src=clip%3Atone.wav')).text)
  expect(wave.duration).toBeCloseTo(2)
})

test('a host at a private address is asked only where the config of the capture engine names it', async () => {
  const folder = await makeProject()
  const { file } = await toneFile(folder, { seconds: 1, onset: 0 })
  const tone = await readFile(file)
  const server = createServer((_, reply) => reply.setHeader('content-type', 'audio/wav').end(tone))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/tone.wav`
  const ask = async (hosts: readonly string[]) => {
    const capture = `import puppeteer from '@vid/capture-puppeteer'
    export default { capture: puppeteer({ privateHosts: ${JSON.stringify(hosts)} }) }`
    // An address of its own each time: what was fetched once is in the cache of all projects.
    const address = `${url}?${hosts.length}-${process.pid}`
    const { preview } = await openPreview(
      await projectWith(capture, { 'index.html': SQUARE.replace('</p>', `</p><a href="${address}"></a>`) }),
    )
    const query = encodeURIComponent(address)
    const remote = await send(`${preview.origin}/.vid/remote?url=${query}`)
    expect(remote.headers['cross-origin-resource-policy']).toBe('same-origin')
    return [remote.status, (await send(`${preview.origin}/.vid/30/facts?src=${query}`)).text !== 'null']
  }
  expect(await ask([])).toEqual([502, false])
  expect(await ask([`127.0.0.1:${port}`])).toEqual([200, true])
})
