import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noSources, type Warning } from '@vid/kernel'
import { listBlobs, storeSuite } from '@vid/testkit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { failing, silence, status } from '../../../packages/services/s3/src/fixtures/faults.ts'
import { type Fault, keys, openS3, startS3 } from '../../../packages/services/s3/src/fixtures/s3-server.ts'
import { makeBucket, newFolder, realServer } from '../../../packages/services/s3/src/fixtures/servers.ts'
import s3 from './index.ts'

type Options = Parameters<typeof s3>[0]

/** The store in a folder of its own for each project. */
const apart = (bucket: Options) => (options: object) => s3({ prefix: `${randomUUID()}/kept/`, ...bucket, ...options })

const strict = await openS3()
afterAll(strict.close)
storeSuite(apart(strict.options))
if (realServer) storeSuite(apart({ ...realServer, bucket: await makeBucket(realServer) }))

/** A store on a server of this test. */
const openStore = async (fault?: Fault, options: Partial<Options> = {}) => {
  const server = await startS3(fault)
  const plugin = s3({ ...server.options, ...options })
  const warnings: Warning[] = []
  const projectDir = await newFolder()
  const context = {
    ...plugin,
    signal: new AbortController().signal,
    projectDir,
    workDir: projectDir,
    sources: noSources,
    warn: (warning: Warning) => warnings.push(warning),
  }
  const store = await plugin.open(context)
  onTestFinished(() => store.close())
  return {
    ...server,
    plugin,
    store,
    warnings,
    projectDir,
    clean: () => plugin.clean?.(context),
    examine: async () => plugin.examine?.(context),
  }
}

test('segments are kept below the prefix, which is "segments/" by default', async () => {
  const { store, objects, projectDir } = await openStore()
  await store.write('segments/a/b', 'entry')
  await writeFile(join(projectDir, 'file'), 'file')
  await store.put('contents/c', join(projectDir, 'file'))
  expect([...objects.keys()].sort()).toEqual(['segments/contents/c', 'segments/segments/a/b'])
})

test('cleaning removes what segments are kept under, and nothing else of the bucket', async () => {
  const { store, objects, clean } = await openStore(undefined, { prefix: 'videos/' })
  await store.write('segments/a/b', 'entry')
  await store.write('contents/c', 'file')
  for (const key of ['videos/film.mp4', 'segments/segments/a/b', 'film.mp4', 'videos/contents'])
    objects.set(key, { body: Buffer.from('mine'), type: undefined, writtenMs: 0 })
  expect(await clean()).toBe(9)
  expect([...objects.keys()].sort()).toEqual([
    'film.mp4',
    'segments/segments/a/b',
    'videos/contents',
    'videos/film.mp4',
  ])
})

test('nothing is asked of the server before it is needed', async () => {
  const { seen } = await openStore()
  expect(seen).toEqual([])
})

test.each([
  ['that is away', 'VID_S3_FAILED', silence, false],
  ['that has only errors', 'VID_S3_FAILED', status(503, 'SlowDown'), false],
  ['that denies', 'VID_S3_DENIED', status(403, 'AccessDenied'), true],
])('a server %s is an error in time', async (_, code, how, final) => {
  const { fault } = failing(999, () => true, how)
  const { store } = await openStore(fault, { timeoutMs: 900 })
  await expect(listBlobs(store, 'segments/')).rejects.toMatchObject({ code, final, fault: 'machine' })
})

test('an error of a request that is answered late enough is mended by sending it again', async () => {
  const { fault, failed } = failing(2, () => true, silence)
  const { store } = await openStore(fault, { timeoutMs: 9000, attempts: 20 })
  expect(await listBlobs(store, 'segments/')).toEqual([])
  expect(failed.count).toBe(2)
})

test('secrets are in no error, and in no option that is shown', async () => {
  const { plugin } = await openStore()
  expect(plugin.optionsSchema?.properties.secretAccessKey).toMatchObject({ writeOnly: true })
  const { store } = await openStore(undefined, { secretAccessKey: 'wrong-secret' })
  const error = await store.read('segments/a').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'VID_S3_DENIED' })
  expect(JSON.stringify([error, String(error)])).not.toContain('wrong-secret')
})

test('half of the credentials, and a prefix that is no folder, are refused before anything is rendered', () => {
  expect(() => s3({ bucket: 'b', accessKeyId: keys.accessKeyId })).toThrow(/secretAccessKey is missing/)
  for (const prefix of ['', '/', 'a', '/a/', 'a//', '../', './', 'a/../b/', '.a/', 'ü/'])
    expect(() => s3({ bucket: 'b', prefix }), prefix).toThrow(expect.objectContaining({ code: 'VID_PLUGIN_OPTIONS' }))
})

test('examining the store proves that it can be written to, and leaves nothing there', async () => {
  const { examine, objects, uploads } = await openStore(undefined, { prefix: 'team/' })
  expect(await examine()).toContain('s3://videos/team/')
  expect([objects.size, uploads.size]).toEqual([0, 0])
  const { fault } = failing(999, ({ method }) => method === 'POST', status(403, 'AccessDenied'))
  const denied = await openStore(fault)
  await expect(denied.examine()).rejects.toMatchObject({ code: 'VID_S3_DENIED' })
})
