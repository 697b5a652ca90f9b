import { expect, test } from 'vitest'
import type { Problem } from '../../api.ts'
import { pageProblem, sortProblems } from './problem-list.ts'

const problem = (severity: Problem['severity'], code: string): Problem => ({
  ...{ from: 'lint', severity, code, message: code, hint: '', place: null, selector: null },
})

test('errors come before warnings and notes, and what was found twice is listed once', () => {
  const found = [problem('note', 'c'), problem('error', 'a'), problem('warning', 'b'), problem('error', 'a')]
  expect(sortProblems(found).map(({ code }) => code)).toEqual(['a', 'b', 'c'])
})

test('an error of a script names the file of the project, and no other address is taken for one', () => {
  const origin = 'http://localhost:3003'
  const place = (source: string) => pageProblem({ message: 'x', source, line: 7 }, origin).place
  expect(place(`${origin}/a%20b/index.html`)).toEqual({ file: 'a b/index.html', line: 7 })
  expect(place('https://cdn.example/x.js')).toBeNull()
  expect(place(`${origin}/.vid/player.js`)).toBeNull()
  expect(pageProblem({ message: 'x' }, origin).place).toBeNull()
})
