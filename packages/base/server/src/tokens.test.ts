import { expect, test } from 'vitest'
import { bindingProblem, createServer } from './index.ts'

const STRONG = 'a'.repeat(16)

test.each([
  ['127.0.0.1', [], undefined],
  ['127.8.9.10', [], undefined],
  ['localhost', [], undefined],
  ['::1', [], undefined],
  ['0.0.0.0', [], 'VID_SERVER_TOKEN_MISSING'],
  ['::', [], 'VID_SERVER_TOKEN_MISSING'],
  ['192.168.1.2', [], 'VID_SERVER_TOKEN_MISSING'],
  ['127.0.0.1.example', [], 'VID_SERVER_TOKEN_MISSING'],
  ['0.0.0.0', [STRONG], undefined],
  ['0.0.0.0', [STRONG, 'short'], 'VID_SERVER_TOKEN_WEAK'],
  ['127.0.0.1', [''], 'VID_SERVER_TOKEN_WEAK'],
  ['127.0.0.1', [`${STRONG} with spaces`], 'VID_SERVER_TOKEN_WEAK'],
])('listening on %s with the tokens %j is refused with %s', async (host, tokens, code) => {
  expect(bindingProblem({ host, tokens, tokenSetting: 'VID_PRODUCER_TOKEN' })?.code).toBe(code)
})

test('a server is not made for an address that it may not listen on, and the message names the setting', async () => {
  const options = {
    api: { title: 'Test', version: '1' },
    host: '0.0.0.0',
    tokenSetting: 'VID_PRODUCER_TOKEN',
  }
  await expect(createServer(options)).rejects.toMatchObject({
    code: 'VID_SERVER_TOKEN_MISSING',
    hint: expect.stringContaining('VID_PRODUCER_TOKEN'),
  })
})

test('the message about a weak token does not show it', () => {
  expect(JSON.stringify(bindingProblem({ host: '::', tokens: ['hunter2'] }))).not.toContain('hunter2')
})
