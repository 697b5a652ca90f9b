import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'

type Method = 'get' | 'post' | 'put' | 'delete' | 'head'

interface Described {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> }
}

/** The parts of an OpenAPI document that replies are checked against. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Method, Described>>>>>
}

/** One route of a description, with what it takes. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly query: readonly string[]
  readonly bodyTypes: readonly string[]
}

/** Every route of a description. */
export const operationsOf = ({ paths }: Description): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method as Method,
      path,
      query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      bodyTypes: Object.keys(requestBody?.content ?? {}),
    })),
  )

/** Checks replies against a description; each check resolves to what is wrong, or undefined. */
export const describedReplies = (description: Description) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(description as unknown as AnySchema, 'api')
  const pointer = (...names: readonly string[]) =>
    `api#${names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`
  return async ({ method, path }: Operation, reply: Response): Promise<string | undefined> => {
    const { status, headers } = reply
    const text = await reply.text()
    const at = `${method} ${path}: ${status} ${text.slice(0, 300)}`
    const { responses } = description.paths[path]?.[method] ?? { responses: {} }
    const key = [String(status), `${String(status)[0]}XX`, 'default'].find((name) => responses[name])
    if (status === 500) return `${at}: the server failed`
    if (key === undefined) return `${at}: the status is not described`
    if (method === 'head' || status === 304) return undefined
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    const content = responses[key]?.content ?? {}
    if (Object.keys(content).length === 0) return text === '' ? undefined : `${at}: a body is not described`
    const described = Object.keys(content).find((name) => name === type || name === '*/*')
    if (described === undefined) return `${at}: the type ${type} is not described`
    if (type !== 'application/json') return undefined
    const check = ajv.getSchema(pointer('paths', path, method, 'responses', key, 'content', described, 'schema'))
    if (!check) return `${at}: no schema`
    return check(JSON.parse(text)) ? undefined : `${at}: ${ajv.errorsText(check.errors)}`
  }
}

/** Values that strangers put into ids and parameters. */
export const WORDS = [
  '%00',
  'a%00b',
  '%E0%A4',
  '..%2F..',
  '%0a',
  '-1',
  '1e999',
  '__proto__',
  'x'.repeat(300),
  '%F0%9F%92%A9',
  "'--",
]

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Bodies that strangers send as JSON. */
const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '\ufeff{}',
  '{"__proto__":{}}',
  '{"constructor":{"prototype":{}}}',
  deep(5000),
  '{"project":{"type":"asset_id","asset_id":"a\\u0000b"},"html":"\\u0000","render_id":"\\u0000","title":"\\ud800"}',
  '{"html":"<b>","fps":1e999,"variables":{"\\u0000":[]}}',
  '{"size_bytes":1e300,"sha256":"x","project":[],"callback_url":"http://[::1","idempotency":{}}',
]

/** Bodies that strangers send as forms with the boundary `x`. */
const FORMS = [
  '',
  '--x--\r\n',
  '--y\r\ncontent-disposition: form-data; name="file"\r\n\r\na\r\n--y--\r\n',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n{}\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n{"__proto__":{}}\r\n--x--\r\n',
  '--x\r\nno header\r\n\r\n\r\n--x--\r\n',
]

/** A request of a fuzz. */
export interface FuzzedRequest {
  readonly operation: Operation
  /** Encoded, with its query. */
  readonly address: string
  readonly init: RequestInit
}

/** The requests that strangers send to an operation. */
export const fuzzedRequests = (operation: Operation): FuzzedRequest[] => {
  const { method, path, query, bodyTypes } = operation
  const words = WORDS.map((word) => path.replaceAll(/\{\w+\}/g, word))
  const queries = query.flatMap((name) => WORDS.map((word) => `${path.replaceAll(/\{\w+\}/g, 'a')}?${name}=${word}`))
  const addresses = [...new Set([...words, ...queries])]
  const place = path.replaceAll(/\{\w+\}/g, '1')
  const requests = addresses.map((address) => ({ operation, address, init: { method } as RequestInit }))
  const bodyOf = (type: string, body: string) => ({
    operation,
    address: place,
    init: { method, headers: { 'content-type': type }, body },
  })
  const forms = FORMS.map((body) => bodyOf('multipart/form-data; boundary=x', body))
  const others = [bodyOf('multipart/form-data', FORMS[0] ?? ''), bodyOf('text/html', '<b>')]
  if (bodyTypes.length > 0)
    requests.push(...BODIES.map((body) => bodyOf('application/json', body)), ...forms, ...others)
  return requests
}
