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
