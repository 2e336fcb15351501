package keys

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
)

// NetworksMost is how many networks a key may be bound to.
const NetworksMost = 50

const networkLength = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128") // in bytes

// Networks are what a key may be used from. None means that it may be used from anywhere.
type Networks []netip.Prefix

// ReadNetworks reads addresses and networks, such as 192.0.2.7 and 2001:db8::/32, with commas
// or white space between them. Each counts once. IPv6 that stands for IPv4 is read as IPv4.
// Errors: KindInvalid.
func ReadNetworks(text string) (networks Networks, err error) {
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(", \t\r\n", c) }) {
		network, err := readNetwork(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(networks, network) {
			networks = append(networks, network)
		}
	}
	if len(networks) > NetworksMost {
		return nil, models.NewError(models.KindInvalid, "A key can be bound to {most} networks at most, not {number}.",
			"most", NetworksMost, "number", len(networks))
	}
	return networks, nil
}

func readNetwork(text string) (network netip.Prefix, err error) {
	address, _, hasSize := strings.Cut(text, "/")
	shown := models.Storable(text, networkLength)
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return network, models.NewError(models.KindInvalid,
			"{text} is not an IP address or a network. Write 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.", "text", shown)
	}
	if parsed.Zone() != "" {
		return network, models.NewError(models.KindInvalid,
			"{text} has a zone, which means something on one machine only. Leave out the % and what follows.", "text", shown)
	}
	network = netip.PrefixFrom(parsed, parsed.BitLen())
	if hasSize {
		if network, err = netip.ParsePrefix(text); err != nil {
			return network, models.NewError(models.KindInvalid,
				"The number after the / in {text} must be from 0 to {most}.", "text", shown, "most", parsed.BitLen())
		}
	}
	if parsed.Is4In6() && network.Bits() >= 96 {
		network = netip.PrefixFrom(parsed.Unmap(), network.Bits()-96)
	}
	if network != network.Masked() {
		return network, models.NewError(models.KindInvalid,
			"{text} is one address of the network {network}. Write the network, or the address without the / and what follows.",
			"text", shown, "network", network.Masked().String())
	}
	return network, nil
}

// Allow reports whether a key with these networks may be used from an address.
func (n Networks) Allow(from netip.Addr) bool {
	from = from.Unmap().WithZone("")
	return len(n) == 0 || slices.ContainsFunc(n, func(network netip.Prefix) bool { return network.Contains(from) })
}

// Cover reports whether a key with these networks may be used from wherever one with the
// others may be.
func (n Networks) Cover(others Networks) bool {
	covered := func(other netip.Prefix) bool {
		return slices.ContainsFunc(n, func(network netip.Prefix) bool {
			return network.Bits() <= other.Bits() && network.Contains(other.Addr())
		})
	}
	return len(n) == 0 ||
		len(others) > 0 && !slices.ContainsFunc(others, func(other netip.Prefix) bool { return !covered(other) })
}

// Texts returns each network as text; one of a single address as that address.
func (n Networks) Texts() (texts []string) {
	for _, network := range n {
		if network.IsSingleIP() {
			texts = append(texts, network.Addr().String())
		} else {
			texts = append(texts, network.String())
		}
	}
	return texts
}

// String returns the networks in words.
func (n Networks) String() string {
	if len(n) == 0 {
		return "anywhere"
	}
	return strings.Join(n.Texts(), ", ")
}

// Value returns the networks as they are stored.
func (n Networks) Value() (driver.Value, error) { return strings.Join(n.Texts(), ","), nil }

// Scan reads stored networks.
func (n *Networks) Scan(stored any) (err error) {
	*n, err = ReadNetworks(fmt.Sprintf("%s", stored))
	return err
}

// Bind sets the networks that a key may be used from: anywhere if there are none. Every
// instance compares them within a second. A revoked key stays as it is.
// Errors: KindNotFound, KindForbidden.
func Bind(ctx context.Context, t models.Tenant, id uuid.UUID, to Networks) (Detail, error) {
	return change(ctx, t, id, func(key lockedKey) (edit, error) {
		if key.RevokedAt != nil || slices.Equal(key.Networks, to) {
			return edit{}, nil
		}
		details := ", allowed from " + to.String() + " instead of " + key.Networks.String()
		return edit{columns{"networks": to}, models.ActionKeyChanged, details}, nil
	})
}

// ShutOut returns the addresses that used a key in the last 30 days, and that networks would
// shut out; and whether they might shut out others too, because there are more callers than
// are listed one by one.
func ShutOut(key Key, callers []KeyCaller, to Networks) (addresses []string, others bool) {
	for _, caller := range callers {
		from, err := netip.ParseAddr(caller.Address)
		switch {
		case caller.LastUsed == nil:
		case caller.Other():
			others = !to.Cover(key.Networks)
		case err == nil && key.Networks.Allow(from) && !to.Allow(from):
			addresses = append(addresses, caller.Address)
		}
	}
	slices.Sort(addresses)
	return slices.Compact(addresses), others
}

// AnnounceElsewhere writes mails about keys of all organizations that were used from where they
// are not allowed: at most one a day for each key, to those who manage keys.
func AnnounceElsewhere(ctx context.Context, s *models.Store) error {
	return eachDue(ctx, s, announceElsewhere, `SELECT id, organization_id FROM api_keys_elsewhere()`)
}

// announceElsewhere writes the mail about one key, unless another instance has.
func announceElsewhere(ctx context.Context, t models.Tenant, id uuid.UUID) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		var key Key
		noted := tx.Model(&key).Clauses(clause.Returning{}).
			Where("id = ? AND (elsewhere_mailed_at IS NULL OR elsewhere_at >= elsewhere_mailed_at + interval '24 hours')", id).
			Update("elsewhere_mailed_at", database.Clock)
		if noted.Error != nil || noted.RowsAffected == 0 {
			return noted.Error
		}
		return mail.WriteToMembers(tx, t.OrganizationID(), mail.KeyElsewhere, nil, mail.Details{
			"key": key.Name, "hint": key.Hint, "key_id": key.ID.String(),
			"at": mail.Time(*key.ElsewhereAt), "address": *key.ElsewhereAddress,
		})
	})
}
