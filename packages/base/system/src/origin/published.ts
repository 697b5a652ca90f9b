/**
 * Whether the packages of vid are on npm's registry: the one place that texts, templates, hints and pages follow. Change it,
 * and run `npm run lab -- origin-pages`.
 */
export const isPublished: boolean = false
