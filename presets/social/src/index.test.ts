import { createHooks, type PlanContext, type RenderPlan, type Warning } from '@vid/kernel'
import { expect, test } from 'vitest'
import social from './index.ts'

const sizeUnder = async (name: string, declared: { width: number; height: number }) => {
  const hooks = createHooks()
  for (const plugin of social().find((preset) => preset.name === name)?.plugins ?? [])
    plugin.setup(hooks, { options: plugin.options })
  const warnings: Warning[] = []
  const context = { warn: (warning: Warning) => warnings.push(warning) } as unknown as PlanContext
  const { width, height } = await hooks.plan.promise(declared as RenderPlan, context)
  return { width, height, codes: warnings.map(({ code }) => code) }
}

test.each([
  ['social-square', 1080, 1080],
  ['social-story', 1080, 1920],
  ['social-wide', 1920, 1080],
])('%s is %i x %i', async (name, width, height) => {
  expect(await sizeUnder(name, { width: 640, height: 480 })).toEqual({
    width,
    height,
    codes: ['VID_SIZE_CHANGED'],
  })
})

test('a composition of the same shape needs no warning', async () => {
  expect(await sizeUnder('social-wide', { width: 1280, height: 720 })).toMatchObject({ codes: [] })
})
