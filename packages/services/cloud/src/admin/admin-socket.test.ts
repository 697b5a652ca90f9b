import { mkdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../fixtures/cloud.ts'
import { callServer } from './admin-socket.ts'

/** The state folder of something that listens as a server does. */
const stateOf = async (answer: RequestListener): Promise<string> => {
  const state = await newFolder()
  await mkdir(join(state, 'admin'))
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(join(state, 'admin/socket'), resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return state
}

const saying =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text)

test.each<[string, RequestListener, RegExp]>([
  ['no JSON', saying('nonsense'), /its reply cannot be read/],
  ['nothing', saying(''), /its reply cannot be read/],
  ['a list', saying('[1]'), /its reply cannot be read/],
  ['an error without a code', saying('{"error":{"message":"no"}}'), /its reply cannot be read/],
  ['half of a reply', (_, response) => void response.write('{', () => response.destroy()), /aborted/],
  ['the end of the connection', (_, response) => void response.destroy(), /socket hang up/],
])('a server that answers with %s is an error with a code', async (_, answer, reason) => {
  const state = await stateOf(answer)
  await expect(callServer(state, 'listAccounts', {})).rejects.toMatchObject({
    code: 'VID_CLOUD_ADMIN_FAILED',
    message: expect.stringMatching(reason),
  })
})

test('a call that is stopped ends with its reason', async () => {
  const stop = new AbortController()
  const state = await stateOf(() => stop.abort(new Error('enough')))
  await expect(callServer(state, 'listAccounts', {}, stop.signal)).rejects.toThrow('enough')
})

test('a folder on whose socket nobody listens has no server', async () => {
  expect(await callServer(await newFolder(), 'listAccounts', {})).toBeUndefined()
})
