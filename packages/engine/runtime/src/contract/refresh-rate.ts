/** The root's attribute that sets how often callbacks run in a second, besides at the time of each frame. */
export const REFRESH_RATE = 'data-refresh-rate'

/** How often a browser runs callbacks in a second, on most displays. */
export const WINDOW_RATE = 60
