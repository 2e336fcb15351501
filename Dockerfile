# An image with the static binary, and the CA certificates that it needs to verify
# a managed database:
#   docker build --build-arg VERSION=1.2.3 -t dispo .
FROM --platform=$BUILDPLATFORM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION= COMMIT=
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION -X main.commit=$COMMIT -X main.databaseRequired=yes" -o /dispo ./cmd/dispo
RUN mkdir -p /files/tmp && chmod 1777 /files/tmp

# The same with PostgreSQL's programs, which back up, check and restore:
#   docker build --target backup -t dispo-backup .
FROM postgres:17 AS backup
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /dispo /usr/local/bin/dispo
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
USER postgres
ENTRYPOINT ["dispo"]
CMD ["backup", "--help"]

FROM scratch
ARG VERSION= COMMIT= SOURCE=
LABEL org.opencontainers.image.title="Dispo" \
      org.opencontainers.image.description="A read-only JSON API to companies and their disposition transactions, with a dashboard" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$COMMIT" \
      org.opencontainers.image.source="$SOURCE"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /dispo /dispo
# Downloads are written to temporary files. A volume stays writable if the rest of the
# file system is read-only.
COPY --from=build /files/ /
VOLUME /tmp
USER 65532:65532
# DATABASE_URL is required: the image has no PostgreSQL to embed.
ENV DISPO_LISTEN=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 CMD ["/dispo", "health"]
ENTRYPOINT ["/dispo"]
CMD ["serve"]
