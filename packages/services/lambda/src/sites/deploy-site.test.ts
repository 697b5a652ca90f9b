import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackProject } from '@vid/project'
import { expect, onTestFinished, test, vi } from 'vitest'
import { refuse } from '../../../s3/src/fixtures/object-replies.ts'
import { startBucket } from '../fixtures/bucket.ts'
import { deploySite, listSites, type SiteProgress } from '../index.ts'

const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-lambda-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const makeProject = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await makeFolder()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

const hello = { 'index.html': '<p>Hello</p>', 'media/logo.svg': '<svg/>' }

test('a project is uploaded once, under the digest of its manifest', async () => {
  const { objects, seen } = await startBucket()
  const reports: SiteProgress[] = []
  const projectDir = await makeProject(hello)
  const onProgress = (now: SiteProgress) => reports.push(now)
  const site = await deploySite({ projectDir, bucketName: 'videos', onProgress })
  expect(site).toEqual({
    siteId: expect.stringMatching(/^[0-9a-f]{64}$/),
    bucketName: 'videos',
    files: 2,
    bytes: 18,
    uploaded: true,
  })
  const packed = objects.get(`sites/${site.siteId}/project.zip`)?.body ?? Buffer.alloc(0)
  expect(reports).toEqual([
    { stage: 'reading' },
    { stage: 'packing' },
    ...[0, packed.length].map((sentBytes) => ({ stage: 'uploading', bytes: packed.length, sentBytes })),
  ])
  const zip = join(await makeFolder(), 'project.zip')
  await writeFile(zip, packed)
  const { digest } = await unpackProject(zip, join(await makeFolder(), 'project'))
  expect(digest).toBe(site.siteId)
  expect(JSON.parse(`${objects.get(`sites/${site.siteId}/site.json`)?.body}`)).toMatchObject({
    files: 2,
    bytes: 18,
  })
  expect(seen.filter(({ method }) => method === 'PUT').at(-1)?.key).toBe(`sites/${site.siteId}/site.json`)

  const before = seen.length
  expect(await deploySite({ projectDir, bucketName: 'videos' })).toEqual({ ...site, uploaded: false })
  expect(seen.slice(before).filter(({ method }) => method === 'PUT')).toEqual([])
})

test('a site whose zip was lost or cut is uploaded again', async () => {
  const { objects } = await startBucket()
  const projectDir = await makeProject(hello)
  const { siteId } = await deploySite({ projectDir, bucketName: 'videos' })
  const key = `sites/${siteId}/project.zip`
  const whole = objects.get(key)
  for (const body of [undefined, whole?.body.subarray(0, -1)]) {
    if (whole && body) objects.set(key, { ...whole, body })
    else objects.delete(key)
    expect(await deploySite({ projectDir, bucketName: 'videos' })).toMatchObject({ siteId, uploaded: true })
    expect(objects.get(key)?.body.equals(whole?.body ?? Buffer.alloc(0))).toBe(true)
  }
  expect(await deploySite({ projectDir, bucketName: 'videos' })).toMatchObject({ uploaded: false })
})

test('equal projects have one id, and projects that differ in a byte, a name or a mode have others', async () => {
  const { objects } = await startBucket()
  const idOf = async (files: Readonly<Record<string, string>>, mode?: number) => {
    const projectDir = await makeProject(files)
    if (mode !== undefined) await chmod(join(projectDir, 'index.html'), mode)
    return (await deploySite({ projectDir, bucketName: 'videos' })).siteId
  }
  const first = await idOf(hello)
  const zip = objects.get(`sites/${first}/project.zip`)?.body
  objects.clear()
  expect(await idOf({ ...hello, '.env': 'SECRET=1', 'node_modules/a/index.js': '1' })).toBe(first)
  expect(objects.get(`sites/${first}/project.zip`)?.body.equals(zip ?? Buffer.alloc(0))).toBe(true)
  const others = [
    await idOf({ ...hello, 'index.html': '<p>Hallo</p>' }),
    await idOf({ 'index.html': '<p>Hello</p>', 'media/Logo.svg': '<svg/>' }),
    await idOf(hello, 0o755),
  ]
  expect(new Set([first, ...others]).size).toBe(4)
})

test('an upload that fails leaves no site and no temporary file', async () => {
  const temp = await makeFolder()
  vi.stubEnv('TMPDIR', temp)
  const { objects } = await startBucket(({ method, key }, reply) => {
    if (method !== 'PUT' || !key.endsWith('project.zip')) return false
    refuse(reply, 403, 'AccessDenied')
    return true
  })
  const projectDir = await makeProject(hello)
  await expect(deploySite({ projectDir, bucketName: 'videos' })).rejects.toMatchObject({
    code: 'VID_S3_DENIED',
  })
  expect([...objects.keys()]).toEqual([])
  expect((await readdir(temp)).filter((name) => name.startsWith('vid-site'))).toEqual([])
})

test('a bucket that cannot be one is refused before the project is read', async () => {
  await expect(deploySite({ projectDir: '/nowhere', bucketName: 'No Bucket' })).rejects.toMatchObject({
    field: 'bucketName',
  })
})

test('complete sites are listed, and no others', async () => {
  const { objects } = await startBucket()
  const ids: string[] = []
  for (const text of ['a', 'b', 'c', 'd'])
    ids.push((await deploySite({ projectDir: await makeProject({ 'index.html': text }), bucketName: 'videos' })).siteId)
  objects.delete(`sites/${ids[1]}/site.json`)
  const siteIds: string[] = []
  for await (const { siteId, zipBytes } of listSites({ bucketName: 'videos' })) {
    siteIds.push(siteId)
    expect(zipBytes).toBe(objects.get(`sites/${siteId}/project.zip`)?.body.length)
  }
  expect(siteIds).toEqual(ids.filter((_, index) => index !== 1).sort())
})
