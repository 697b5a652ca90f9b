import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { page, patient, startCloud, zipOf } from '../fixtures/cloud.ts'

const start = async (options = {}, files: Readonly<Record<string, string | Uint8Array>> = {}) => {
  const cloud = await startCloud(options)
  const { json } = await cloud.upload(await zipOf({ 'index.html': page(), ...files }))
  return { ...cloud, address: json.data.url as string, bytes: json.data.size_bytes as number }
}
const statusOf = async (address: string, init = {}) => (await fetch(address, init)).status

test('a file is offered at its signed address, whole or in part, and never as a page', async () => {
  const { address, bytes } = await start()
  const whole = await fetch(address)
  expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, bytes])
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="project.zip"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
  })
  const part = await fetch(address, {
    headers: { range: 'bytes=0-3', 'if-range': whole.headers.get('etag') ?? '' },
  })
  expect([part.status, await part.text()]).toEqual([206, 'PK\x03\x04'])
  expect(part.headers.get('content-range')).toBe(`bytes 0-3/${bytes}`)
  const head = await fetch(address, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes}`])
  const beyond = await fetch(address, { headers: { range: `bytes=${bytes}-` } })
  expect([beyond.status, await beyond.json()]).toMatchObject([416, { error: { code: 'invalid_parameter' } }])
})

test('an address that was changed in any part, or has expired, leads nowhere', async () => {
  const { address } = await start()
  const changed = (name: string, value: string | undefined) => {
    const url = new URL(address)
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url.href
  }
  for (const [name, value] of [
    ['type', 'text/html'],
    ['type', undefined],
    ['name', 'other.zip'],
    ['name', undefined],
    ['expires', '99999999999'],
    ['expires', 'Infinity'],
    ['signature', 'AAAA'],
    ['signature', undefined],
  ] as const)
    expect([name, value, await statusOf(changed(name, value))]).toEqual([name, value, 403])
  for (const path of ['../../etc/passwd', '%2e%2e/%2e%2e/etc/passwd', '.incoming/x', 'a%00', 'assets//x'])
    expect([path, await statusOf(address.replace(/files\/.*\?/, `files/${path}?`))]).not.toEqual([path, 200])
  const expired = await start({ addressTtlMs: 100 })
  await expect.poll(() => statusOf(expired.address), patient).toBe(403)
})

test('a file that is gone is not found', async () => {
  const { address, state } = await start()
  await rm(`${state}/files/assets`, { recursive: true })
  expect(await statusOf(address)).toBe(404)
})

test('what is deleted while it is downloaded arrives whole, and is not found after that', async () => {
  // More than all buffers of the connection hold.
  const { address, state, bytes } = await start({}, { 'noise.bin': randomBytes(24 * 2 ** 20) })
  const reply = await fetch(address)
  let received = 0
  for await (const chunk of reply.body ?? []) {
    if (received === 0) await rm(`${state}/files/assets`, { recursive: true })
    received += chunk.length
  }
  expect([reply.status, received]).toEqual([200, bytes])
  expect(await statusOf(address)).toBe(404)
})
