import { expect, test } from 'vitest'
import { forgetUpload, uploadOnce } from './uploads.ts'

const { signal } = new AbortController()

/** An upload that is sent as the test says, and how often it was. */
const counted = (key = 'project') => {
  const sent: string[] = []
  const upload = (send = async () => `asset_${sent.length}`) => ({
    key,
    signal,
    send() {
      sent.push(key)
      return send()
    },
  })
  return { sent, upload }
}

test('renders that share resources send a project once, also when they begin at the same time', async () => {
  const { sent, upload } = counted()
  const sharing = {}
  const ids = await Promise.all([1, 2, 3].map(() => uploadOnce(sharing, upload())))
  expect([ids, sent.length, await uploadOnce(sharing, upload())]).toEqual([Array(3).fill('asset_1'), 1, 'asset_1'])
})

test('other projects and other callers send their own', async () => {
  const one = counted('one')
  const sharing = {}
  await uploadOnce(sharing, one.upload())
  expect(await uploadOnce(sharing, { key: 'two', signal, send: async () => 'asset_two' })).toBe('asset_two')
  await uploadOnce({}, one.upload())
  await uploadOnce(undefined, one.upload())
  expect(one.sent).toHaveLength(3)
})

test('an upload that fails is sent once more for all who waited for it', async () => {
  const { sent, upload } = counted()
  const sharing = {}
  const broken = uploadOnce(
    sharing,
    upload(() => Promise.reject(new Error('cut'))),
  )
  const waiting = [1, 2, 3].map(() => uploadOnce(sharing, upload()))
  await expect(broken).rejects.toThrow('cut')
  expect(await Promise.all(waiting)).toEqual(Array(3).fill('asset_2'))
  expect([await uploadOnce(sharing, upload()), sent.length]).toEqual(['asset_2', 2])
})

test('a render that is stopped does not wait for the upload of another', async () => {
  const { upload } = counted()
  const sharing = {}
  let end = (_id: string) => {}
  const first = uploadOnce(
    sharing,
    upload(() => new Promise((resolve) => (end = resolve))),
  )
  const stop = new AbortController()
  const stopped = uploadOnce(sharing, { ...upload(), signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  end('asset_1')
  expect(await first).toBe('asset_1')
})

test('what the other side may have lost is sent again', async () => {
  const { sent, upload } = counted()
  const sharing = {}
  await uploadOnce(sharing, upload())
  forgetUpload(sharing, upload())
  await uploadOnce(sharing, upload())
  expect(sent).toHaveLength(2)
})
