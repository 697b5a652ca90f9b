import { expect, test } from 'vitest'
import type { Problem } from '../../api.ts'
import { distinctProblems, pageProblem } from './problem-list.ts'

const problem = (severity: Problem['severity'], code: string): Problem => ({
  from: 'lint',
  severity,
  code,
  message: code,
  hint: '',
  place: null,
  selector: null,
})

test('errors come before warnings and notes, and what was found twice is listed once', () => {
  const problems = [problem('note', 'c'), problem('error', 'a'), problem('warning', 'b'), problem('error', 'a')]
  expect(distinctProblems(problems).map(({ code }) => code)).toEqual(['a', 'b', 'c'])
})

test('a problem that two checks name differently is listed once', () => {
  const other = { ...problem('error', 'VID_NESTED_MISSING'), message: 'a' }
  expect(distinctProblems([problem('error', 'a'), other]).map(({ code }) => code)).toEqual(['a'])
})

test('a script that fails to load is listed once, however many checks find it', () => {
  const origin = 'http://localhost:3003'
  const lint = {
    ...problem('error', 'lint/missing-asset'),
    message: '"a/gone.js" refers to the file "a/gone.js", which is not in the project.',
  }
  const captured = { ...problem('error', 'VID_ASSET_FAILED'), message: 'a/gone.js?x: there is no such file' }
  const problemOf = (source: string) =>
    pageProblem({ message: `could not load ${source}`, source, isLoad: true }, origin)
  const page = problemOf(`${origin}/a/gone.js?x`)
  const codes = (problems: readonly Problem[]) => distinctProblems(problems).map(({ code }) => code)
  expect(codes([lint, captured, page])).toEqual(['lint/missing-asset'])
  expect(codes([captured, page])).toEqual(['VID_ASSET_FAILED'])
  expect(codes([page, problemOf(`${origin}/other.js`)])).toEqual(['did not load', 'did not load'])
  // The text names it in two places.
  const elsewhere = { ...lint, place: { file: 'b.html', line: 2 } }
  expect(codes([lint, elsewhere, page])).toEqual(['lint/missing-asset', 'lint/missing-asset'])
  const address = 'https://cdn.example/x.js'
  const remote = { ...problem('error', 'VID_REMOTE_FAILED'), message: `${address} could not be fetched: 404` }
  expect(codes([remote, problemOf(address)])).toEqual(['VID_REMOTE_FAILED'])
})

test('what a page shows otherwise than a window is no error of a script', () => {
  const message = 'a view transition is shown as a cut'
  expect(pageProblem({ message, isNote: true }, '')).toMatchObject({
    severity: 'warning',
    code: 'differs from a window',
    message,
  })
})

test('an error of a script names the file of the project, and no other address is taken for one', () => {
  const origin = 'http://localhost:3003'
  const place = (source: string) => pageProblem({ message: 'x', source, line: 7 }, origin).place
  expect(place(`${origin}/a%20b/index.html`)).toEqual({ file: 'a b/index.html', line: 7 })
  expect(place('https://cdn.example/x.js')).toBeNull()
  expect(place(`${origin}/.vid/player.js`)).toBeNull()
  expect(pageProblem({ message: 'x' }, origin).place).toBeNull()
})
