import type { LoadedConfig } from '@vid/config'
import type { KernelSetup } from '@vid/kernel'
import { type FrameRate, readFrameRate } from '@vid/protocol'
import { loadProjectConfig, type RenderContext } from '@vid/render'
import type { RenderChoices } from '../api.ts'

/** What the config of a project decides about its preview. */
export interface ProjectSettings {
  readonly fps: FrameRate
  readonly network: 'none' | 'declared' | 'public'
  readonly videoFrameFormat: 'auto' | 'jpg' | 'png'
  readonly values: Readonly<Record<string, unknown>>
  /** Hosts at private addresses that pages and sources may be fetched from. */
  readonly privateHosts: readonly string[]
  /** What a render is made with. */
  readonly setup: KernelSetup
  readonly choices: RenderChoices
}

const choicesOf = ({ setup, render, presets, preset, targets, target }: LoadedConfig): RenderChoices => ({
  formats: setup.encoders.flatMap(({ formats, alpha }) => formats.map((name) => ({ name, alpha: alpha === true }))),
  qualities: ['draft', 'standard', 'high'],
  presets,
  targets,
  defaults: {
    format: render.outputs?.[0]?.format ?? render.format ?? 'mp4',
    quality: render.quality ?? 'standard',
    fps: readFrameRate(render.fps ?? 30) ?? 30,
    preset,
    target: target ?? null,
  },
})

/** Reads the config of a project as a render would. */
export const readProjectSettings = async (projectDir: string, context: RenderContext): Promise<ProjectSettings> => {
  const config = await loadProjectConfig(projectDir, {}, context)
  const { network = 'public', videoFrameFormat = 'auto', variables = {} } = config.render
  const choices = choicesOf(config)
  const { setup } = config
  const { privateHosts } = setup.capture.options
  return {
    fps: choices.defaults.fps,
    network,
    videoFrameFormat,
    values: variables,
    choices,
    setup,
    privateHosts: Array.isArray(privateHosts) ? privateHosts.map(String) : [],
  }
}
