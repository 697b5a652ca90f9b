import { describe, expect, it } from 'vitest'
import { declarationProblems, describeIssue, parseDeclarations, resolveVariables } from '../index.ts'

const title = { id: 'title', type: 'string', label: 'Title', default: 'Hello' }
const size = { id: 'size', type: 'number', label: 'Size', default: 12, min: 1, max: 99, step: 1, unit: 'px' }
const ink = { id: 'ink', type: 'color', label: 'Ink', default: '#102030' }
const loud = { id: 'loud', type: 'boolean', label: 'Loud', default: false }
const mood = {
  id: 'mood',
  type: 'enum',
  label: 'Mood',
  default: 'calm',
  options: [
    { value: 'calm', label: 'Calm' },
    { value: 'wild', label: 'Wild' },
  ],
}
const all = [title, size, ink, loud, mood]
const declarations = parseDeclarations(JSON.stringify(all))

describe('declarations', () => {
  it('of all five types are read completely', () => {
    expect(declarations).toEqual(all)
    expect(declarationProblems(JSON.stringify(all))).toEqual([])
  })

  it.each([
    ['an unknown type', { ...title, type: 'object' }, 'type "object" is not one of string, number'],
    ['no label', { id: 'a', type: 'string', default: '' }, '"label" is missing'],
    ['no default', { id: 'a', type: 'string', label: 'A' }, '"default" is missing'],
    ['an empty id', { ...title, id: '' }, '"id"'],
    ['a default of another type', { ...size, default: '12' }, '"default" must be number'],
    ['a color by name', { ...ink, default: 'red' }, '"default" must match'],
    ['no options', { ...mood, options: undefined }, '"options" is missing'],
    ['a broken option', { ...mood, options: [{ value: 1, label: 'One' }] }, '"options.0.value" must be string'],
    ['a default beside its options', { ...mood, default: 'sad' }, '"default" is "sad"'],
    ['a limit that is no number', { ...size, min: 'low' }, '"min" must be number'],
    ['no object', 'title', 'it is not an object'],
  ])('with %s are dropped with a reason', (_case, broken, reason) => {
    const json = JSON.stringify([loud, broken])
    expect(parseDeclarations(json)).toEqual([loud])
    expect(declarationProblems(json)).toEqual([
      expect.objectContaining({ index: 1, reason: expect.stringContaining(reason) }),
    ])
  })

  it('declared twice count once', () => {
    const json = JSON.stringify([title, { ...title, default: 'Again' }])
    expect(parseDeclarations(json)).toEqual([title])
    expect(declarationProblems(json)).toMatchObject([{ index: 1, variableId: 'title' }])
  })

  it('nested without end yield no declarations, and are not read', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}"]]"${']'.repeat(depth)}`
    expect(declarationProblems(nested(3_000_000))).toMatchObject([{ fault: 'json', index: null }])
    expect(declarationProblems(nested(65))[0]?.reason).toContain('64 levels')
    expect(declarationProblems(nested(64))[0]?.fault).toBe('field')
    const quoted = JSON.stringify([{ ...title, default: `${'['.repeat(100)}"{\\` }])
    expect(declarationProblems(quoted)).toEqual([])
  })

  it.each(['[{', '{"id":"title"}', 'null'])('written as %s yield no declarations', (json) => {
    expect(parseDeclarations(json)).toEqual([])
    expect(declarationProblems(json)).toMatchObject([{ index: null, variableId: null }])
  })
})

describe('resolving variables', () => {
  it('puts overrides over defaults, key by key', () => {
    const { values, issues } = resolveVariables(declarations, { title: 'Bye', size: 40 })
    expect(values).toEqual({ title: 'Bye', size: 40, ink: '#102030', loud: false, mood: 'calm' })
    expect(issues).toEqual([])
  })

  it('passes an undeclared value through, with an issue', () => {
    expect(resolveVariables([], { extra: [1] })).toEqual({
      values: { extra: [1] },
      issues: [{ kind: 'undeclared', variableId: 'extra' }],
    })
  })

  it.each([
    ['title', 5, 'string', 'number'],
    ['title', null, 'string', 'null'],
    ['size', '12', 'number', 'string'],
    ['size', Number.NaN, 'number', 'number'],
    ['ink', '#fff', 'color', 'string'],
    ['loud', 'yes', 'boolean', 'string'],
    ['mood', ['calm'], 'enum', 'array'],
  ] as const)('reports %s = %j as a mismatch', (variableId, value, expected, actual) => {
    const { issues } = resolveVariables(declarations, { [variableId]: value })
    expect(issues).toEqual([{ kind: 'type-mismatch', variableId, expected, actual }])
    expect(issues.map(describeIssue).join()).toMatch(
      new RegExp(`"${variableId}" expected .*${expected}.*, got ${actual}`),
    )
  })

  it('reports a value that is not an option of an enum', () => {
    const { issues } = resolveVariables(declarations, { mood: 'sad' })
    expect(issues).toEqual([
      { kind: 'enum-out-of-range', variableId: 'mood', allowed: ['calm', 'wild'], actual: 'sad' },
    ])
    expect(issues.map(describeIssue)).toEqual(['Variable "mood" expected one of "calm", "wild", got "sad".'])
  })

  it.each([
    ['size', 0, 'min', 1, 0],
    ['size', 99.5, 'max', 99, 99.5],
    ['size', 1e300, 'max', 99, 1e300],
    ['size', 12.5, 'step', 1, 12.5],
    ['tight', 'abcdef', 'maxLength', 5, 6],
    ['free', 7, 'step', 5, 7],
  ] as const)('reports %s = %j as out of range', (variableId, value, limit, bound, actual) => {
    const limited = parseDeclarations(
      JSON.stringify([
        size,
        { ...title, id: 'tight', maxLength: 5 },
        { id: 'free', type: 'number', label: 'F', default: 2.5, step: 5 },
      ]),
    )
    const { values, issues } = resolveVariables(limited, { [variableId]: value })
    expect(values[variableId]).toBe(value)
    expect(issues).toEqual([{ kind: 'out-of-range', variableId, limit, bound, actual }])
    expect(issues.map(describeIssue).join()).toMatch(
      new RegExp(`"${variableId}" expected .*${bound}.*\\(${limit}\\), got`),
    )
  })

  it('accepts values at their limits and on their steps, despite rounding', () => {
    const fine = { id: 'n', type: 'number', label: 'N', default: 0, min: 0, max: 1, step: 0.1 }
    const limited = parseDeclarations(JSON.stringify([fine, { ...title, maxLength: 5 }]))
    for (const n of [0, 0.1, 0.1 + 0.2, 0.7, 1])
      expect(resolveVariables(limited, { n, title: 'abcde' }).issues, String(n)).toEqual([])
    const free = { ...fine, min: undefined, max: undefined, step: 0 }
    expect(resolveVariables(parseDeclarations(JSON.stringify([free])), { n: -3.3 }).issues).toEqual([])
  })

  it('treats a name like __proto__ as any other', () => {
    const { values, issues } = resolveVariables([], JSON.parse('{"__proto__":{"polluted":true}}'))
    expect(Object.keys(values)).toEqual(['__proto__'])
    expect(issues).toEqual([{ kind: 'undeclared', variableId: '__proto__' }])
  })
})
