import { expect, test } from 'vitest'
import { effectiveOptions, machineLocal, portableOptions, schemaProblems, Type } from './index.ts'

const Program = machineLocal(Type.String())
const schema = Type.Object({
  lane: Type.String(),
  program: Type.Optional(Program),
  hosts: Type.Optional(machineLocal(Type.Array(Type.String()))),
  token: Type.Optional(Type.String({ writeOnly: true })),
  nested: Type.Optional(Type.Object({ level: Type.Integer(), folder: Type.Optional(Program) })),
  union: Type.Optional(Type.Union([Type.Object({ path: Program }), Type.Literal('none')])),
  record: Type.Optional(Type.Record(Type.String(), Program)),
  whole: Type.Optional(machineLocal(Type.Object({ size: Type.Integer() }))),
})
const local = {
  lane: 'auto',
  program: '/own/browser',
  hosts: ['own'],
  token: 'own token',
  nested: { level: 1, folder: '/own' },
  union: { path: '/own' },
  record: { a: '/own' },
  whole: { size: 1 },
}
const foreign = {
  lane: 'raster',
  program: '/foreign/browser',
  hosts: ['foreign'],
  token: 'foreign token',
  nested: { level: 2, folder: '/foreign' },
  union: { path: '/foreign' },
  record: { a: '/foreign' },
  whole: { size: 2 },
  unknown: '/foreign',
}

test('a plan has no secret or machine-local option, at any depth', () => {
  expect(portableOptions(schema, local)).toEqual({ lane: 'auto', nested: { level: 1 } })
})

test('marked options in a plan are replaced by those of this process', () => {
  expect(effectiveOptions(schema, foreign, local)).toEqual({
    ...local,
    lane: 'raster',
    nested: { level: 2, folder: '/own' },
  })
})

test('marked options that only the plan has are not used', () => {
  expect(effectiveOptions(schema, foreign, { lane: 'auto' })).toEqual({
    lane: 'raster',
    nested: { level: 2 },
  })
})

test('machine-local options are checked and shown like any other option; secrets are not shown', () => {
  const wrong = { ...local, program: 7, token: 8 }
  const problems = schemaProblems(schema, wrong).join('; ')
  expect(problems).toMatch(/program must be string; got 7/)
  expect(problems).toMatch(/token must be string; got a secret/)
})
