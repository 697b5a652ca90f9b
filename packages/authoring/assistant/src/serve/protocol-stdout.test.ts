import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { takeStdout } from './protocol-stdout.ts'

const textOf = (stream: PassThrough) => String(stream.read() ?? '')

test('what others write to stdout goes to stderr, and the protocol alone to stdout', () => {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const protocol = takeStdout({ stdout, stderr } as unknown as NodeJS.Process)
  protocol.write('{"jsonrpc":"2.0"}\n')
  stdout.write('from a config')
  expect([textOf(stdout), textOf(stderr)]).toEqual(['{"jsonrpc":"2.0"}\n', 'from a config'])
})

test('a client that has gone is an error of the protocol', async () => {
  const stdout = new PassThrough()
  const protocol = takeStdout({ stdout, stderr: new PassThrough() } as unknown as NodeJS.Process)
  const failed = new Promise((resolve) => {
    protocol.once('error', resolve)
  })
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  stdout.emit('error', gone)
  expect(await failed).toBe(gone)
})
