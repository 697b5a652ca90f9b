import { schemaProblems } from '@vid/protocol'
import { expect, test } from 'vitest'
import { ProducerSnapshotSchema } from './producer-request.ts'

const problemsOf = (at: string) => schemaProblems(ProducerSnapshotSchema, { html: '<p>', at })

test.each(['1s', '0', '50%', ' 1s , 2.5s,50%,90f,1:30 '])('a request for stills has the times "%s"', (at) => {
  expect(problemsOf(at)).toEqual([])
})

test.each(['abc', 'NaN', '-1s', '1s,,2s', '1s;2s'])(
  'a request for stills with the times "%s" is refused in words',
  (at) => {
    expect(problemsOf(at)).toEqual([`at must be times such as 1s,2.5s,50%,90f,1:30; got ${JSON.stringify(at)}`])
  },
)
