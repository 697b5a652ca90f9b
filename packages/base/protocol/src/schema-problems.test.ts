import { expect, test } from 'vitest'
import { schemaProblems, Type } from './index.ts'

const schema = Type.Object({
  version: Type.Literal(1),
  quality: Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('high')])),
  shape: Type.Optional(
    Type.Union([
      Type.Object({ kind: Type.Literal('box'), size: Type.Integer() }),
      Type.Object({ kind: Type.Literal('dot') }),
    ]),
  ),
})

test('a constant that differs is refused', () => {
  expect(schemaProblems(schema, { version: 1 })).toEqual([])
  expect(schemaProblems(schema, { version: 2 })).toEqual(['version must be 1; got 2'])
})

test('a value outside a union of constants is reported once, with the choices', () => {
  expect(schemaProblems(schema, { version: 1, quality: 'best' })).toEqual([
    'quality must be one of "draft", "high"; got "best"',
  ])
})

test('a value that matches no part of a union is refused', () => {
  expect(schemaProblems(schema, { version: 1, shape: { kind: 'line' } }).join('; ')).toMatch(/shape/)
  expect(schemaProblems(schema, { version: 1, shape: { kind: 'dot' } })).toEqual([])
})

const strict = { additionalProperties: false }
const Inner = Type.Object({ count: Type.Optional(Type.Integer({ minimum: 0 })) }, strict)
const Strict = Type.Object({ fps: Type.Optional(Type.Number()), inner: Type.Optional(Inner) }, strict)
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))

test.each([1, 7, 8, 9, 50, 100, 5000])('%i unknown keys are refused, in one problem', (count) => {
  const [problem, ...others] = schemaProblems(Strict, unknown(count))
  expect(problem).toMatch(/^it must not have additional properties: key0/)
  expect(others).toEqual([])
})

test('unknown keys are named up to a number of them', () => {
  expect(schemaProblems(Strict, unknown(12))).toEqual([
    'it must not have additional properties: key0, key1, key2, key3, key4, key5, key6, key7, key8, key9 and 2 more',
  ])
})

test.each([9, 100])('%i unknown keys hide no wrong value beside or inside them', (count) => {
  const inner = { ...unknown(count), count: -1 }
  const problems = schemaProblems(Strict, { ...unknown(count), fps: 'x', inner })
  expect(problems).toContain('fps must be number; got "x"')
  expect(problems).toContain('inner.count must be >= 0; got -1')
  expect(problems.filter((problem) => problem.includes('additional properties'))).toHaveLength(2)
})

test('the form of a union that a value means has its problems, and no other', () => {
  const Source = Type.Union([
    Type.Object({ type: Type.Literal('id'), id: Type.String() }, strict),
    Type.Object({ type: Type.Literal('url'), url: Type.String({ minLength: 8 }) }, strict),
  ])
  expect(schemaProblems(Source, { type: 'url', url: 'x' })).toHaveLength(1)
  expect(schemaProblems(Source, { type: 'id', id: 'x', ...unknown(20) })).toEqual([
    expect.stringMatching(/^it must not have additional properties: key0/),
  ])
  expect(schemaProblems(Source, { type: 'file' })).toEqual(['type must be one of "id", "url"; got "file"'])
  const Size = Type.Union([Type.Integer(), Type.Literal('auto')])
  expect(schemaProblems(Type.Object({ size: Size }), { size: 'big' })).toEqual([
    'size must be one of integer, "auto"; got "big"',
  ])
})

test('what is shown of a value is short, and the list of problems ends', () => {
  const Titles = Type.Object({ title: Type.String({ maxLength: 10 }) })
  expect(schemaProblems(Titles, { title: 'x'.repeat(900_000) }).join()).toHaveLength(270)
  const problems = schemaProblems(Type.Array(Type.Integer()), Array(40_000).fill('x'))
  expect(problems).toHaveLength(51)
  expect(problems.at(-1)).toBe('it has 950 more problems')
})

test('a value of very many parts is refused without a look at each of them', () => {
  expect(schemaProblems(Strict, unknown(100_000))).toEqual([
    'it does not fit its schema, and is too large to say where',
  ])
  expect(schemaProblems(Type.Array(Type.Integer()), Array(100_000).fill('x'))).toHaveLength(1)
})

test('a key with a slash or a tilde is named as it is', () => {
  const Record = Type.Record(Type.String(), Type.Integer())
  expect(schemaProblems(Record, { 'a/b~c': 'x' })).toEqual(['a/b~c must be integer; got "x"'])
  expect(schemaProblems(Strict, { 'a/b~c': 1 })).toEqual(['it must not have additional properties: a/b~c'])
})
