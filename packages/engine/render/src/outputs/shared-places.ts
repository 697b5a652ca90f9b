import type { KernelSetup } from '@vid/kernel'
import { checkRequest, type RenderRequestInput } from '@vid/protocol'
import { fail } from '../errors.ts'

type Deliveries = NonNullable<KernelSetup['deliveries']>

/**
 * Refuses requests of which a delivery would bring results to one place, where they would replace each other; fails with
 * VID_DELIVERY_TWICE.
 */
export const refuseSharedPlaces = (deliveries: Deliveries, requests: readonly RenderRequestInput[]): void => {
  for (const delivery of deliveries) {
    if (!delivery.places) continue
    const outputAt = new Map<string, string>()
    for (const request of requests.map(checkRequest)) {
      const { output } = request
      for (const place of new Set(delivery.places(request, delivery))) {
        const other = outputAt.get(place)
        if (other !== undefined)
          throw fail('VID_DELIVERY_TWICE', { delivery: delivery.name, place, outputs: [other, output] })
        outputAt.set(place, output)
      }
    }
  }
}
