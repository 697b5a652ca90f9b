import { expect, test } from 'vitest'
import { clientOf, newAccount, page, sha256, startCloud, zipOf } from '../fixtures/cloud.ts'

const zip = () => zipOf({ 'index.html': page(), 'a/b.txt': 'text' })

test('a zip becomes an asset, whose address gives the same files again', async () => {
  const { upload, database, account } = await startCloud()
  const { status, json } = await upload(await zip())
  expect(status).toBe(200)
  expect(json.data).toEqual({
    asset_id: expect.stringMatching(/^asset_[A-Za-z0-9]{22}$/),
    url: expect.stringContaining('/v3/files/assets/'),
    mime_type: 'application/zip',
    size_bytes: expect.any(Number),
  })
  const fetched = await fetch(json.data.url)
  const bytes = Buffer.from(await fetched.arrayBuffer())
  expect(bytes.length).toBe(json.data.size_bytes)
  expect(sha256(bytes)).toBe(sha256(await zip()))
  const rows = await database.rows('SELECT * FROM vid.assets WHERE account_id = $1', [account.id])
  expect(rows).toMatchObject([{ id: json.data.asset_id, files: 2, size_bytes: bytes.length }])
})

test('the same files are kept once for an account, and apart from those of others', async () => {
  const { upload, url, database } = await startCloud()
  const [first, second] = [await upload(await zip()), await upload(await zip())]
  expect(second.json.data.asset_id).toBe(first.json.data.asset_id)
  const other = clientOf(url, (await newAccount(database)).key)
  expect((await other.upload(await zip())).json.data.asset_id).not.toBe(first.json.data.asset_id)
})
