import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { startServer } from './fixtures/test-server.ts'
import { readJsonPart } from './json-body.ts'

/** Reads a text as the part of a form; resolves to how many turns others had meanwhile, with what was read. */
const readBeside = async (text: string) => {
  let request: FastifyRequest | undefined
  await startServer({}, (app) => {
    request = { server: app } as unknown as FastifyRequest
  })
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  try {
    const value = await readJsonPart(request as FastifyRequest, text)
    return { turns, value }
  } finally {
    clearImmediate(next)
  }
}

const MIB = 2 ** 20

test('a long text is read in turns, and is the same as a short one', async () => {
  const html = '<p class="a">\\ "text"</p>'.repeat(8 * MIB).slice(0, 8 * MIB)
  const { turns, value } = await readBeside(JSON.stringify({ fps: 1, html }))
  expect(turns).toBeGreaterThanOrEqual(8)
  expect(value).toEqual({ fps: 1, html })
})

test.each([
  ['strings whose quotes and backslashes are at the ends of turns', `["${'\\\\\\"'.repeat(MIB / 2)}",1]`, undefined],
  ['brackets in strings, which are no depth', `["${'['.repeat(2 * MIB)}"]`, undefined],
  ['a depth that begins late', `["${' '.repeat(2 * MIB)}",${'['.repeat(201)}${']'.repeat(201)}]`, 'levels deep'],
  ['values that are too many late', `["${' '.repeat(2 * MIB)}"${',0'.repeat(10_000)}]`, 'has more than'],
])('of a long text, %s are judged as those of a short one', async (_what, text, reason) => {
  const reading = readBeside(text)
  if (reason === undefined) expect((await reading).value).toEqual(JSON.parse(text))
  else
    await expect(reading).rejects.toMatchObject({
      code: 'VID_HTTP_BODY_JSON',
      message: expect.stringContaining(reason),
    })
})
