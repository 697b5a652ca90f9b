import cloudCommands from '@vid/client/commands'
import { CloudRenderInputSchema, CloudRenderSchema, cloudSurface, ProducerRenderSchema } from '@vid/client/contract'
import { type AnyCommand, renderOptions } from '@vid/command'
import { optionGroups } from '@vid/command/line'
import { RenderDefaultsSchema } from '@vid/config'
import { lambdaSurface, RenderConfigSchema } from '@vid/lambda'
import lambdaCommands from '@vid/lambda/commands'
import { RenderRequestSchema } from '@vid/protocol'
import { expect, test, vi } from 'vitest'

// The table of settings with one more, which no other file of the project names.
vi.mock('../../../../base/protocol/src/settings.ts', async (original) => {
  const module = await original<typeof import('../../../../base/protocol/src/settings.ts')>()
  const { Type } = await import('../../../../base/protocol/src/schema.ts')
  const grainSize = {
    schema: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, description: 'grain of the picture' })),
    about: 'grain of the picture',
    scope: 'picture',
    effect: 'always',
    configurable: true,
  } as const
  const requestSettings = { ...module.requestSettings, grainSize }
  const settingSchemas = { ...module.settingSchemas, grainSize: grainSize.schema }
  return { ...module, requestSettings, settingSchemas }
})

const remoteCommands: readonly AnyCommand[] = [...cloudCommands, ...lambdaCommands]

test('a setting that is only in the table is a flag of every command that renders', () => {
  const optionsOf = (path: string) => remoteCommands.find((command) => command.path === path)?.options
  const remoteTables = ['cloud render', 'lambda render', 'lambda render-batch'].map(optionsOf)
  const flag = { kind: 'integer', min: 0, max: 10, about: 'grain of the picture', setting: 'grainSize' }
  for (const options of [renderOptions, ...remoteTables]) expect(options).toMatchObject({ 'grain-size': flag })
  expect(optionGroups['the result']).toContain('grain-size')
})

test('it is in the request, the config and the body of every server', () => {
  const schema = { maximum: 10, description: 'grain of the picture' }
  for (const body of [RenderRequestSchema, RenderDefaultsSchema, ProducerRenderSchema, RenderConfigSchema])
    expect(body).toMatchObject({ properties: { grainSize: schema } })
  for (const body of [CloudRenderSchema, CloudRenderInputSchema])
    expect(body).toMatchObject({ properties: { grain_size: schema } })
})

test.each([
  ['the hosted API', cloudSurface, { grain_size: 3 }],
  ['AWS', lambdaSurface, { grainSize: 3 }],
] as const)('%s takes it, is sent it and reads it', (_, surface, fields) => {
  expect(surface.takes).toMatchObject({ grainSize: true })
  expect(surface.write({ grainSize: 3 } as object)).toEqual(fields)
  expect(surface.read(fields)).toEqual({ grainSize: 3 })
})
