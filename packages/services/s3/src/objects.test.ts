import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { failing, lostAnswer, status } from './fixtures/faults.ts'
import { fileOf, newFolder, openLoopback, servers } from './fixtures/servers.ts'
import {
  downloadObject,
  exists,
  findObject,
  listObjects,
  openObject,
  putIfAbsent,
  putIfUnchanged,
  putObject,
  readObject,
  readObjectText,
  readTagged,
  refreshObject,
  removeObjects,
  type S3Bucket,
  sizeOf,
  uploadFile,
} from './index.ts'

const MIB = 2 ** 20

const listAll = async (place: S3Bucket, prefix: string, pageSize?: number) => {
  const objects = []
  for await (const object of listObjects(place, prefix, pageSize === undefined ? {} : { pageSize }))
    objects.push(object)
  return objects
}

describe.each(Object.keys(servers))('objects on %s', (kind) => {
  const open = () => (servers[kind] as () => Promise<S3Bucket>)()

  test.each([
    ['empty', 0],
    ['small', 1000],
    ['of several parts', 17 * MIB + 1],
  ])('a file that is %s comes back as it was', async (_, bytes) => {
    const place = await open()
    const content = randomBytes(bytes)
    await uploadFile(place, 'a/video.mp4', await fileOf(content), { partBytes: 5 * MIB })
    expect(await sizeOf(place, 'a/video.mp4')).toBe(bytes)
    const path = join(await newFolder(), 'copy')
    expect(await downloadObject(place, 'a/video.mp4', path)).toBe(true)
    expect((await readFile(path)).equals(content)).toBe(true)
    expect((await readObject(place, 'a/video.mp4', bytes))?.equals(content)).toBe(true)
    const stream = await openObject(place, 'a/video.mp4')
    expect(stream && (await buffer(stream)).equals(content)).toBe(true)
  })

  test('what is stored has a length, also when it is empty', async () => {
    const place = await open()
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    for (const body of ['', 'text', new Uint8Array(), new Uint8Array(9)]) {
      await putObject(place, 'put', body)
      expect(await sizeOf(place, 'put')).toBe(body.length)
      expect(await putIfAbsent(place, `absent-${typeof body}-${body.length}`, body)).toBe(true)
    }
    for (const content of ['', 'text']) await uploadFile(place, 'file', await fileOf(content))
    expect(warn.mock.calls).toEqual([])
  })

  test('an object has the type of its name, or the one that it is given', async () => {
    const place = await open()
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
    await uploadFile(place, 'a.webm', await fileOf('x'))
    await putObject(place, 'b', '{}', { type: 'application/json' })
    const typeOf = async (Key: string) =>
      (await place.client.send(new HeadObjectCommand({ Bucket: place.bucket, Key }))).ContentType
    expect([await typeOf('a.webm'), await typeOf('b')]).toEqual(['video/webm', 'application/json'])
  })

  test('what is missing is told as missing, and leaves no file', async () => {
    const place = await open()
    const folder = await newFolder()
    expect(await downloadObject(place, 'a/b', join(folder, 'copy'))).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(await readObjectText(place, 'a/b', 10)).toBeUndefined()
    expect(await openObject(place, 'a/b')).toBeUndefined()
    expect(await sizeOf(place, 'a/b')).toBeUndefined()
    expect(await exists(place, 'a/b')).toBe(false)
    await removeObjects(place, ['a/b', 'c'])
    await refreshObject(place, 'a/b')
    expect(await listAll(place, '')).toEqual([])
  })

  test('a text above its limit is refused, and one at it is read', async () => {
    const place = await open()
    await putObject(place, 'a', 'grün')
    expect(await readObjectText(place, 'a', 5)).toBe('grün')
    await expect(readObjectText(place, 'a', 4)).rejects.toMatchObject({ code: 'VID_S3_SIZE' })
  })

  test('lists are whole, in the order of keys, and may be left early', async () => {
    const place = await open()
    const names = ['r/1/a', 'r/1/b', 'r/1/c d+e', 'r/1/ü&<', 'r/10/a', 's/1']
    const before = Date.now() - 5000
    for (const name of names.toReversed()) await putObject(place, name, name)
    const objects = await listAll(place, 'r/1', 2)
    expect(objects.map(({ key, bytes }) => [key, bytes])).toEqual(
      ['r/1/a', 'r/1/b', 'r/1/c d+e', 'r/1/ü&<', 'r/10/a'].map((name) => [name, Buffer.byteLength(name)]),
    )
    expect(objects.every(({ writtenMs }) => writtenMs > before && writtenMs < Date.now() + 5000)).toBe(true)
    for await (const { key } of listObjects(place, '', { pageSize: 1 })) {
      expect(key).toBe('r/1/a')
      break
    }
    await removeObjects(place, names.slice(0, 5))
    expect((await listAll(place, '')).map(({ key }) => key)).toEqual(['s/1'])
  })

  test('of many that put an object unless there is one, one does', async () => {
    const place = await open()
    const bodies = Array.from({ length: 12 }, (_, index) => `claim ${index}`)
    const answers = await Promise.all(bodies.map((body) => putIfAbsent(place, 'claims/a', body)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await readObjectText(place, 'claims/a', 100)).toBe(bodies[answers.indexOf(true)])
    expect(await putIfAbsent(place, 'claims/a', 'late')).toBe(false)
    await removeObjects(place, ['claims/a'])
    expect(await putIfAbsent(place, 'claims/a', 'again')).toBe(true)
  })

  test('of several that replace what they have read, one succeeds', async () => {
    const place = await open()
    const tag = await putIfUnchanged(place, 'record', 'first', undefined)
    expect(await readTagged(place, 'record', 100)).toEqual({ text: 'first', tag })
    expect((await findObject(place, 'record'))?.tag).toBe(tag)
    const bodies = ['second 0', 'second 1', 'second 2']
    const tags = await Promise.all(bodies.map((body) => putIfUnchanged(place, 'record', body, tag)))
    const [winner] = tags.filter((next) => next !== undefined)
    expect(tags.filter((next) => next !== undefined)).toHaveLength(1)
    expect(await readTagged(place, 'record', 100)).toEqual({ text: bodies[tags.indexOf(winner)], tag: winner })
    expect(await putIfUnchanged(place, 'record', 'late', tag)).toBeUndefined()
    expect(await putIfUnchanged(place, 'record', 'absent', undefined)).toBeUndefined()
    await removeObjects(place, ['record'])
    expect(await putIfUnchanged(place, 'record', 'removed', winner)).toBeUndefined()
    expect(await readTagged(place, 'record', 100)).toBeUndefined()
  })

  test('an object that is refreshed is younger and otherwise the same', async () => {
    const place = await open()
    await putObject(place, 'a/b+c é', 'text')
    const before = await findObject(place, 'a/b+c é')
    await expect
      .poll(async () => {
        await refreshObject(place, 'a/b+c é')
        return (await findObject(place, 'a/b+c é'))?.writtenMs
      })
      .toBeGreaterThan(before?.writtenMs ?? Infinity)
    expect(await readObjectText(place, 'a/b+c é', 100)).toBe('text')
  })

  test('a file that is there already is not written over', async () => {
    const place = await open()
    await putObject(place, 'a', 'stored')
    const path = await fileOf('mine')
    await expect(downloadObject(place, 'a', path)).rejects.toMatchObject({ code: 'VID_S3_FILE' })
    expect(await readFile(path, 'utf8')).toBe('mine')
  })

  test('a source that cannot be read is an error about that file, and leaves nothing', async () => {
    const place = await open()
    const path = join(await newFolder(), 'missing')
    await expect(uploadFile(place, 'a', path)).rejects.toMatchObject({
      code: 'VID_S3_FILE',
      message: expect.stringContaining(path),
    })
    expect(await listAll(place, '')).toEqual([])
  })

  test('a bucket that is not there is an error of every call but the one for a size', async () => {
    const place = { ...(await open()), bucket: 'none-of-ours' }
    const error = { code: 'VID_S3_BUCKET', final: true }
    await expect(uploadFile(place, 'a', await fileOf('x'))).rejects.toMatchObject(error)
    await expect(putIfAbsent(place, 'a', 'x')).rejects.toMatchObject(error)
    await expect(readObjectText(place, 'a', 10)).rejects.toMatchObject(error)
    await expect(listAll(place, '')).rejects.toMatchObject(error)
  })

  test('work that is stopped rejects with the reason', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    const place = { ...(await open()), signal: stop }
    await expect(putObject(place, 'a', 'x')).rejects.toThrow('enough')
    await expect(readObjectText(place, 'a', 1)).rejects.toThrow('enough')
    await expect(listAll(place, '')).rejects.toThrow('enough')
    await expect(removeObjects(place, ['a'])).rejects.toThrow('enough')
  })
})

describe('a conditional put', () => {
  const isPut = ({ method }: { readonly method: string }) => method === 'PUT'

  test('whose answer was lost knows its own object again', async () => {
    const { fault, failed } = failing(1, isPut, lostAnswer)
    const { place, objects } = await openLoopback(fault)
    expect(await putIfAbsent(place, 'a', 'mine')).toBe(true)
    expect([failed.count, String(objects.get('a')?.body)]).toEqual([1, 'mine'])
  })

  test('that is sent again does not take the object of another for its own', async () => {
    const { fault } = failing(1, isPut, status(500, 'InternalError'))
    const { place, objects } = await openLoopback(fault)
    objects.set('a', { body: Buffer.from('theirs'), type: undefined, writtenMs: 0 })
    expect(await putIfAbsent(place, 'a', 'mine')).toBe(false)
  })

  test('that meets another one is a no', async () => {
    const { fault } = failing(1, isPut, status(409, 'ConditionalRequestConflict'))
    const { place } = await openLoopback(fault)
    expect(await putIfAbsent(place, 'a', 'mine')).toBe(false)
  })
})

test('two uploads of one name in parts leave one of them whole', async () => {
  const { place, objects, uploads } = await openLoopback()
  const files = [randomBytes(11 * MIB), randomBytes(11 * MIB)]
  await Promise.all(files.map(async (file) => uploadFile(place, 'a', await fileOf(file), { partBytes: 5 * MIB })))
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(files.map(digest)).toContain(digest(objects.get('a')?.body ?? Buffer.of()))
  expect(uploads.size).toBe(0)
})
