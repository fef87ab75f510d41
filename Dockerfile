# The ready-made servers in a small image, on stdio:  docker run -i --rm mcp-hello-app
# Over HTTP, several instances with Redis: docs/deploy.md
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/core/package.json packages/core/
COPY packages/servers/package.json packages/servers/
COPY packages/gateway/package.json packages/gateway/
COPY packages/openapi/package.json packages/openapi/
COPY packages/redis/package.json packages/redis/
COPY packages/postgres/package.json packages/postgres/
COPY packages/inspector/package.json packages/inspector/
COPY packages/cli/package.json packages/cli/
RUN npm ci --ignore-scripts
COPY LICENSE tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY packages packages
RUN npm run build
# What the command loads where it is asked to: Redis, databases.
RUN npm ci --ignore-scripts --omit=dev --workspace ccmcp

FROM node:24-alpine
WORKDIR /app
COPY --from=build /build/packages/cli/dist ./
COPY --from=build /build/node_modules ./node_modules
USER node
ENTRYPOINT ["node", "/app/main.cjs"]
CMD ["greeting"]
