import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeFrames } from '@vid/ffmpeg'
import {
  blockedPath,
  checkSuite,
  compositionFacts,
  type Destination,
  deliverySuite,
  encoderSuite,
  folderDestination,
  storeSuite,
} from '@vid/testkit'
import { afterAll, expect, test } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))
const page = await readFile(join(repository, 'docs/write-a-plugin.md'), 'utf8')
const folder = await mkdtemp(join(repository, 'scripts/.plugin-page-'))
afterAll(() => rm(folder, { recursive: true }))

/** The plugin that an example of the page with `call` exports. */
const exampleOf = async (call: string) => {
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const code = examples.find((example) => example.includes(`export default ${call}(`))
  if (code === undefined) throw new Error(`the page has no example of ${call}`)
  const path = join(folder, `${call}.ts`)
  await writeFile(path, code)
  const { default: make } = await import(path)
  return make
}

const into = (place: Destination): Destination => ({
  ...place,
  options: { folder: dirname(place.outputPath) },
})

const inColor = (color: string) => {
  const box = { x: 0, y: 0, width: 100, height: 40 }
  const rest = { element: 0, frames: [0, 60] as const, frame: 30, box, ratio: 9, seen: 1, fontSize: 40, isBold: false }
  return compositionFacts({ contrasts: [{ ...rest, color, background: '#000000' }] })
}
checkSuite(await exampleOf('defineCheck'), {
  options: { colors: ['#ffffff'] },
  wrong: inColor('#fefefe'),
  right: inColor('#ffffff'),
})

encoderSuite(await exampleOf('defineEncoder'), { decode: (path) => decodeFrames(path, { pixFmt: 'rgba' }) })

deliverySuite(await exampleOf('defineDelivery'), {
  options: { folder: '/nowhere' },
  destination: async () => into(await folderDestination()),
  unreachable: async () => into(await blockedPath()),
})

/** The client of a storage, which the example of a store imports: buckets in the memory of the process. */
const CLIENT = `
import { readFile, writeFile } from 'node:fs/promises'
const buckets = new Map()
export const connect = async (bucket, signal) => {
  const blobs = buckets.get(bucket) ?? new Map()
  buckets.set(bucket, blobs)
  const bytesOf = (key) => blobs.get(key)?.bytes
  const send = async (key, content) => void blobs.set(key, { bytes: Buffer.from(content), usedMs: Date.now() })
  return {
    async download(key, path) {
      const bytes = bytesOf(key)
      if (bytes) await writeFile(path, bytes, { signal })
      return bytes !== undefined
    },
    upload: async (key, path) => send(key, await readFile(path, { signal })),
    text: async (key) => bytesOf(key)?.toString(),
    send,
    async *list(prefix) {
      for (const [key, { bytes, usedMs }] of blobs)
        if (key.startsWith(prefix)) yield { key, bytes: bytes.length, usedMs }
    },
    async delete(keys) {
      for (const key of keys) blobs.delete(key)
    },
    async end() {},
  }
}`
await writeFile(join(folder, 'client.ts'), CLIENT)
const makeStore = await exampleOf('defineStore')
storeSuite((options: object) => makeStore({ bucket: randomUUID(), ...options }))

test.each([
  ['defineTarget', { url: 'http://127.0.0.1:9' }],
  ['definePlugin', {}],
])('the example of %s makes a plugin', async (call, options) => {
  const make = await exampleOf(call)
  expect(make(options)).toMatchObject({ name: expect.stringMatching(/^@acme\//) })
})
