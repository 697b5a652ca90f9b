import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { serveAdmin } from '@vid/cloud'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDatabase } from '../../../../services/cloud/src/fixtures/database-template.ts'
import { openPrepared } from '../../../../services/cloud/src/fixtures/prepared-database.ts'
import { eventsOf, makeFolder, vidWith } from '../fixtures/project.ts'

const run = (folder: string, line: string, input = '') => vidWith(folder, ['cloud', ...line.split(' ')], { input })

const lines = (text: string) => text.trim().split('\n')

test('accounts and keys are made, listed and ended through a server that is running', async () => {
  const folder = await makeFolder({})
  const database = await openPrepared(join(folder, '.vid/cloud/database'))
  const admin = await serveAdmin(
    { database, examined: () => Promise.reject(new Error('not asked for')) },
    join(folder, '.vid/cloud'),
  )
  onTestFinished(async () => {
    await admin?.close()
    await database.close()
  })

  const created = await run(
    folder,
    'accounts create --email mia@example.com --password --weight 2',
    'a long password\n',
  )
  expect(created).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^account user_\w{22}\nAPI key, shown this once: vid_live_\w{32}\n$/),
  })
  const account = /user_\w+/.exec(created.stdout)?.[0] ?? ''
  const weak = await run(folder, 'accounts create --email zoe@example.com --password', 'hush\n')
  expect(weak).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error VID_CLOUD_ACCOUNT_INVALID: '),
  })
  expect(weak.stderr).not.toContain('hush')

  const [header, row, ...others] = lines((await run(folder, 'accounts list')).stdout)
  expect(header).toMatch(/^id +email +name +weight +created +disabled$/)
  expect(row).toMatch(new RegExp(`^${account} +mia@example.com +- +2 +`))
  expect(others).toEqual([])

  const changed = await run(
    folder,
    `accounts change ${account} --max-upload 2M --max-billed-seconds 60 --max-requests 600 --name Mia --json`,
  )
  expect(eventsOf(changed.stdout)).toMatchObject([
    {
      type: 'cloud-account',
      account: {
        id: account,
        name: 'Mia',
        weight: 2,
        maxUploadBytes: 2 * 2 ** 20,
        maxBilledSeconds: 60,
        requestsPerMinute: 600,
        hasPassword: true,
      },
    },
  ])
  expect((await run(folder, `accounts change ${account} --max-upload 2x`)).code).toBe(2)

  const key = await run(folder, 'keys create mia@example.com --name ci')
  expect(key.stdout).toMatch(/^vid_live_\w{32}\n$/)
  const [event] = eventsOf((await run(folder, 'keys list --json')).stdout)
  expect(event).toMatchObject({
    type: 'cloud-keys',
    keys: [{}, { accountId: account, name: 'ci', lastUsedAt: null }],
  })
  expect(JSON.stringify(event)).not.toContain(key.stdout.trim())
  const [, { id }] = (event as unknown as { keys: [unknown, { id: string }] }).keys
  expect((await run(folder, `keys revoke ${id}`)).stdout).toContain(`${id} is revoked`)
  const wrong = await run(folder, `keys revoke ${key.stdout.trim()}`)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_CLOUD_KEY_MISSING') })
  expect(wrong.stderr).not.toContain(key.stdout.trim())

  const disabled = await run(folder, `accounts disable ${account} --json`)
  expect(eventsOf(disabled.stdout)).toMatchObject([
    { type: 'cloud-account', account: { id: account, disabledAt: expect.any(String) } },
  ])
  const secret = await run(folder, `webhooks secret ${account}`)
  expect(secret.stdout).toMatch(/^whsec_\w+\n$/)
  expect((await run(folder, `webhooks secret ${account} --rotate`)).stdout).not.toBe(secret.stdout)
  expect(eventsOf((await run(folder, 'webhooks list --failed --json')).stdout)).toEqual([
    { type: 'cloud-webhooks', deliveries: [] },
  ])
  const lost = await run(folder, 'webhooks retry hook_x --json')
  expect(lost.code).toBe(2)
  expect(eventsOf(lost.stdout)).toMatchObject([{ type: 'cloud-error', error: { code: 'VID_CLOUD_DELIVERY_MISSING' } }])
})

test('without a server the folder itself is used, and a wrong one is not made', async () => {
  const folder = await makeFolder({})
  const missing = await run(folder, 'accounts list --state elsewhere')
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('VID_CLOUD_STATE_MISSING') })
  await expect(access(join(folder, 'elsewhere'))).rejects.toThrow()
  await prepareDatabase(join(folder, 'here/database'))
  const created = await run(folder, 'accounts create --name Team --state here --json --no-key')
  expect(created.stderr).toBe('')
  const [event] = eventsOf(created.stdout)
  expect(event).not.toHaveProperty('api_key')
  const { id } = (event as unknown as { account: { id: string } }).account
  expect((await run(folder, 'accounts list --state here')).stdout).toContain(id)
})
