import { request } from 'node:http'
import { expect, test } from 'vitest'
import { page, sharedProducer } from './fixtures/producer.ts'

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: { readonly error?: { readonly code: string; readonly message: string; readonly fault: string } }
}

/** Sends exactly these bytes as a body. */
const sendRaw = (url: string, headers: Readonly<Record<string, string>>, text: string) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (reply) => {
      let answer = ''
      reply.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk
      })
      reply.on('end', () => {
        const type = String(reply.headers['content-type'])
        resolve({ status: reply.statusCode ?? 0, type, body: JSON.parse(answer) })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })

const FORM = { 'content-type': 'multipart/form-data; boundary=x' }

const part = (name: string, value: string, file = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${file && `; filename="${file}"`}\r\n\r\n${value}\r\n`

const settings = JSON.stringify({ projectDir: 'intro' })
const END = '--x--\r\n'

test.each<[what: string, body: string, headers: Readonly<Record<string, string>>, code: string]>([
  ['has no end', part('request', settings), FORM, 'VID_HTTP_FORM'],
  ['has no end in its zip', part('projectZip', 'PK', 'a.zip').slice(0, -2), FORM, 'VID_HTTP_FORM'],
  [
    'has another boundary',
    part('request', settings).replaceAll('--x', '--y') + END.replaceAll('--x', '--y'),
    FORM,
    'VID_HTTP_FORM',
  ],
  ['names no boundary', part('request', settings) + END, { 'content-type': 'multipart/form-data' }, 'VID_HTTP_FORM'],
  ['has its JSON twice', part('request', settings) + part('request', settings) + END, FORM, 'VID_HTTP_INVALID'],
  ['has an unknown part', part('request', settings) + part('other', 'x') + END, FORM, 'VID_HTTP_INVALID'],
  ['has many parts', part('request', settings) + part('a', '').repeat(9) + END, FORM, 'VID_HTTP_INVALID'],
  ['poisons prototypes', part('request', '{"projectDir":"intro","__proto__":{}}') + END, FORM, 'VID_HTTP_BODY_JSON'],
  ['nests too deep', part('request', '['.repeat(5000) + ']'.repeat(5000)) + END, FORM, 'VID_HTTP_BODY_JSON'],
])('a form that %s is refused as the fault of its sender', async (_what, body, headers, code) => {
  const { url } = await sharedProducer()
  const answer = await sendRaw(`${url}/lint`, headers, body)
  expect(answer).toMatchObject({ status: 400, body: { error: { code, fault: 'caller' } } })
})

test('JSON in a form may begin with a byte order mark, as a body may', async () => {
  const { url } = await sharedProducer()
  const inForm = await sendRaw(`${url}/lint`, FORM, part('request', `\ufeff${settings}`) + END)
  const alone = await sendRaw(`${url}/lint`, { 'content-type': 'application/json' }, `\ufeff${settings}`)
  expect([inForm.status, alone.status]).toEqual([alone.status, alone.status])
})

test.each(['a.mp4\n', 'a\r.mp4', 'folder/', 'folder\\', 'a\u0000.mp4'])(
  'no video is written to %j',
  async (outputPath) => {
    const { post } = await sharedProducer()
    const reply = await post('/render', { projectDir: 'intro', outputPath })
    expect([reply.status, (await reply.json()).error.code]).toEqual([403, 'VID_PRODUCER_OUTSIDE'])
  },
)

test('an id with NUL is that of no request', async () => {
  const { send } = await sharedProducer()
  const reply = await send('/render/a%00b')
  expect([reply.status, (await reply.json()).error.code]).toEqual([404, 'VID_PRODUCER_REQUEST_UNKNOWN'])
})

test('elements that are nested too deep are a fault of the composition, also after it was accepted', async () => {
  const { post } = await sharedProducer()
  const html = page().replace('<i ', `${'<b>'.repeat(5000)}<i `)
  for (const path of ['/lint', '/render', '/snapshot']) {
    const reply = await post(path, { html })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { error } = await reply.json()
    expect([path, error?.code, error?.fault]).toEqual([path, 'VID_HTML_DEEP', 'render'])
  }
})

test('variables that are too long or too many are refused by name, and values in their limits are not', async () => {
  const { post } = await sharedProducer()
  const ask = async (variables: Readonly<Record<string, unknown>>) => {
    const reply = await post('/render', { html: page(), variables })
    return [reply.status, (await reply.json()).error?.message] as const
  }
  expect(await ask({ a: 'x'.repeat(2 ** 20) })).toEqual([
    400,
    "The request's body is wrong: variables has 1048584 characters as JSON; the limit is 1048576.",
  ])
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, n]))
  expect(await ask(many(10_001))).toEqual([400, expect.stringContaining('more than 10000 values')])
  expect(await ask({ ...many(9000), text: 'x'.repeat(100_000) })).toEqual([200, undefined])
})
