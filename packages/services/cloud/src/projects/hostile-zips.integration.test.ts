import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hostileZip } from '../../../../engine/project/src/fixtures/hostile-zip.ts'
import { startCloud } from '../fixtures/cloud.ts'

const COUNT = 60

test(`each of ${COUNT} hostile zips is refused with its code or becomes a whole asset, and leaves nothing else`, async () => {
  const settings = { unpackedFiles: 300, unpackedBytes: 6_000_000 }
  const { upload, state, database, account, get } = await startCloud(settings)
  const canary = join(state, 'canary')
  const ends: string[] = []
  for (let number = 0; number < COUNT; number += 1) {
    const { status, json } = await upload(hostileZip(number, canary))
    if (status === 200) ends.push('asset')
    else {
      expect([number, status]).toEqual([number, 400])
      ends.push(json.error.code)
      expect(json.error.message.replaceAll(canary, '')).not.toContain(state)
    }
  }
  expect([...new Set(ends)].sort()).toEqual(['asset', 'vid_project_invalid', 'vid_project_too_large'])
  expect(existsSync(canary)).toBe(false)
  const [work] = readdirSync(join(state, 'projects'))
  expect(readdirSync(join(state, 'projects', work ?? '', 'incoming'))).toEqual([])
  const assets = await database.rows<{ storage_key: string }>(
    'SELECT storage_key FROM vid.assets WHERE account_id = $1',
    [account.id],
  )
  const storedKeys = readdirSync(join(state, 'files', 'assets', account.id)).map(
    (name) => `assets/${account.id}/${name}`,
  )
  expect(assets.map(({ storage_key: key }) => key).sort()).toEqual(storedKeys.sort())
  expect((await get('/health')).status).toBe(200)
})
