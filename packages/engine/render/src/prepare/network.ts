import type { RenderRequest } from '@vid/protocol'
import { fail } from '../errors.ts'
import type { RenderContext } from './context.ts'

type Network = RenderRequest['network']

/** From the least to the most that is fetched. */
const LEVELS: readonly Network[] = ['none', 'declared', 'public']

const isMore = (one: Network, other: Network) => LEVELS.indexOf(one) > LEVELS.indexOf(other)

/**
 * The network access of pages within the operator's limit: a caller that requests more is refused, and a config or a
 * default is lowered.
 */
export const limitNetwork = (
  setting: Network | undefined,
  merged: Network | undefined,
  { maxNetwork, spelling }: Pick<RenderContext, 'maxNetwork' | 'spelling'>,
): { readonly network?: Network } => {
  const network = setting ?? merged
  if (maxNetwork === undefined) return network === undefined ? {} : { network }
  if (setting !== undefined && isMore(setting, maxNetwork))
    throw fail('VID_NETWORK_LIMITED', { setting: spelling.name('network'), asked: setting, limit: maxNetwork })
  // Left out, everything is fetched.
  return { network: network === undefined || isMore(network, maxNetwork) ? maxNetwork : network }
}
