import { createHooks, type PlanContext } from '@vid/kernel'
import { expect, test } from 'vitest'
import plugin from './index.ts'

test('adds its variable and keeps one that is already set', async () => {
  const hooks = createHooks()
  const { setup, options } = plugin({ variable: 'edition' })
  setup(hooks, { options })
  const resolve = (variables: Record<string, unknown>) => hooks.resolve.promise(variables, {} as PlanContext)
  expect(await resolve({})).toEqual({ edition: new Date().getFullYear() })
  expect(await resolve({ edition: 1999 })).toEqual({ edition: 1999 })
})
