/* Shows one page when there is no network, and lets a notification lead back to its page. It keeps that page and its styles and nothing else:
   every other answer comes from the house or not at all. */

const KEEP = "offline-{{ version }}";
const PAGE = "{{ page|escapejs }}";
const KEPT = [{% for address in kept %}"{{ address|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEEP);
    await cache.addAll(KEPT.map((address) => new Request(address, { cache: "reload", credentials: "omit" })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const takeOver = async () => {
    for (const name of await caches.keys()) if (name !== KEEP) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  } else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(new URL(request.url).pathname)));
  }
});

self.addEventListener("notificationclick", (event) => {
  const address = new URL(event.notification.data?.address ?? "/", self.location.origin);
  event.notification.close();
  const show = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => new URL(page.url).pathname === address.pathname);
    if (there) await there.focus();
    else await self.clients.openWindow(address.href);
  };
  event.waitUntil(show());
});
